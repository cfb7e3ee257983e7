#include "registry/reference.h"

#include <gtest/gtest.h>

#include "registry/limits.h"

namespace curupira::registry {
namespace {

const std::string hex(64, 'a');

template <class T>
T parsed(std::string_view text) {
  auto reference = parse_reference(text);
  if (!reference || !std::holds_alternative<T>(*reference))
    throw std::runtime_error("not parsed: " + std::string(text));
  return std::get<T>(*reference);
}

ErrorCode code_of(std::string_view text) {
  const auto reference = parse_reference(text);
  return reference ? ErrorCode::internal : reference.error().code();
}

TEST(Reference, NpmNameAloneMeansLatest) {
  const auto npm = parsed<NpmReference>("npm:left-pad");
  EXPECT_EQ(npm.name, "left-pad");
  EXPECT_EQ(npm.range, "latest");
}

TEST(Reference, NpmScopeAndRange) {
  const auto npm = parsed<NpmReference>("npm:@acme/curupira-ext@^1.2");
  EXPECT_EQ(npm.name, "@acme/curupira-ext");
  EXPECT_EQ(npm.range, "^1.2");
}

TEST(Reference, NpmTakesVersionsRangesAndTags) {
  for (const char* range : {"1.2.3", "1.2.3-rc.1", ">=1 <2 || 3.x", "next", "beta-2", "*", "1.2 - 2"}) {
    EXPECT_EQ(parsed<NpmReference>("npm:x@" + std::string(range)).range, range);
  }
}

TEST(Reference, NpmRefusesOtherSpecifications) {
  for (const char* text :
       {"npm:x@", "npm:x@npm:y@1", "npm:x@git+ssh://h/r", "npm:x@file:../y", "npm:x@../y", "npm:x@ 1",
        "npm:x@1 ", "npm:x@--foo", "npm:x@1;rm", "npm:x@https://example.org/x.tgz"}) {
    EXPECT_EQ(code_of(text), ErrorCode::reference_syntax) << text;
  }
}

TEST(Reference, NpmRefusesNamesThatNoRegistryHas) {
  for (const char* text :
       {"npm:", "npm:../x", "npm:--foo", "npm:-g", "npm:.x", "npm:_x", "npm:X", "npm:a b", "npm:@acme",
        "npm:@acme/", "npm:@/x", "npm:@acme/x/y", "npm:a/b", "npm:node_modules", "npm:a%2fb", "npm:é"}) {
    EXPECT_EQ(code_of(text), ErrorCode::reference_syntax) << text;
  }
  EXPECT_TRUE(is_npm_package_name(std::string(214, 'a')));
  EXPECT_FALSE(is_npm_package_name(std::string(215, 'a')));
}

TEST(Reference, PipNamesAreNormalised) {
  EXPECT_EQ(parsed<PipReference>("pip:Curupira_Plugins").name, "curupira-plugins");
  EXPECT_EQ(normalize_pip_name("A.-_b--C"), "a-b-c");
}

TEST(Reference, PipSpecifiers) {
  EXPECT_EQ(parsed<PipReference>("pip:x").specifiers, "");
  EXPECT_EQ(parsed<PipReference>("pip:x==1.2.3").specifiers, "==1.2.3");
  EXPECT_EQ(parsed<PipReference>("pip:x>=1,<2").specifiers, ">=1,<2");
  EXPECT_EQ(parsed<PipReference>("pip:x~=1.4,!=1.5.*").specifiers, "~=1.4,!=1.5.*");
  EXPECT_EQ(parsed<PipReference>("pip:x@1.2.3").specifiers, "==1.2.3") << "as for npm";
}

TEST(Reference, PipRefusesWhatWouldBeMoreThanOneRequirement) {
  for (const char* text :
       {"pip:", "pip:-r x", "pip:--index-url", "pip:x -r y", "pip:x==1 --hash=sha256:00", "pip:x==1;os_name",
        "pip:x==", "pip:x>=1,", "pip:x @ https://example.org/x.whl", "pip:x@https://example.org/x.whl",
        "pip:x[extra]", "pip:x==1\\", "pip:x=1", "pip:../x", "pip:x-"}) {
    EXPECT_EQ(code_of(text), ErrorCode::reference_syntax) << text;
  }
}

TEST(Reference, PathKeepsTheFolderAsGiven) {
  EXPECT_EQ(parsed<PathReference>("path:../a folder").folder, "../a folder");
  EXPECT_EQ(code_of("path:"), ErrorCode::reference_syntax);
}

TEST(Reference, ArchiveFiles) {
  for (const char* text : {"./acme-ext-1.2.0.tar.zst", "/abs/x.zip", "x.tar.gz", "../a b.tgz", "x.tar.xz",
                           "x.txz", "x.tar.bz2", "x.tbz2", "X.ZIP", "./a:b.zip"}) {
    const auto archive = parsed<ArchiveReference>(text);
    EXPECT_EQ(std::get<std::filesystem::path>(archive.location), text);
    EXPECT_FALSE(archive.sha256);
  }
}

TEST(Reference, ArchiveFileWithItsDigest) {
  const auto archive = parsed<ArchiveReference>("./x.zip#sha256=" + hex);
  EXPECT_EQ(std::get<std::filesystem::path>(archive.location), "./x.zip");
  ASSERT_TRUE(archive.sha256);
  EXPECT_EQ(archive.sha256->hex(), hex);
}

TEST(Reference, ArchiveUrlNeedsADigest) {
  const auto archive = parsed<ArchiveReference>("https://downloads.example.org/x.tar.gz#sha256=" + hex);
  EXPECT_EQ(std::get<Url>(archive.location).to_string(), "https://downloads.example.org/x.tar.gz");
  EXPECT_EQ(archive.sha256->hex(), hex);
  EXPECT_EQ(code_of("https://downloads.example.org/x.tar.gz"), ErrorCode::integrity_missing);
  EXPECT_EQ(code_of("https://downloads.example.org/x.tar.gz#sha256=12"), ErrorCode::integrity_missing);
}

TEST(Reference, PlainHttpOnlyOnLoopback) {
  EXPECT_EQ(code_of("http://downloads.example.org/x.zip#sha256=" + hex), ErrorCode::reference_scheme);
  EXPECT_EQ(code_of("http://127.0.0.1.example.org/x.zip#sha256=" + hex), ErrorCode::reference_scheme);
  for (const char* host : {"127.0.0.1:8080", "localhost", "[::1]:80"}) {
    EXPECT_TRUE(parse_reference("http://" + std::string(host) + "/x.zip#sha256=" + hex)) << host;
  }
}

TEST(Reference, OtherSchemesListTheKnownOnes) {
  for (const char* text :
       {"file:///x.zip", "ftp://example.org/x.zip", "git+https://example.org/x", "NPM:x", "c:/x"}) {
    const auto reference = parse_reference(text);
    ASSERT_FALSE(reference) << text;
    EXPECT_EQ(reference.error().code(), ErrorCode::reference_scheme) << text;
    EXPECT_NE(reference.error().help().find("npm:NAME"), std::string::npos);
  }
}

TEST(Reference, AFolderWithoutSchemeIsExplained) {
  const auto reference = parse_reference("./dir");
  ASSERT_FALSE(reference);
  EXPECT_EQ(reference.error().code(), ErrorCode::reference_syntax);
  EXPECT_NE(reference.error().help().find("path:./dir"), std::string::npos);
}

TEST(Reference, ABareWordListsTheForms) {
  const auto reference = parse_reference("acme-ext");
  ASSERT_FALSE(reference);
  EXPECT_EQ(reference.error().code(), ErrorCode::reference_syntax);
  for (const char* form : {"npm:", "pip:", "path:", "https://"}) {
    EXPECT_NE(reference.error().help().find(form), std::string::npos) << form;
  }
}

TEST(Reference, HostileTextIsRefusedAndShownHarmlessly) {
  const std::string nul("npm:x\0y", 7);
  EXPECT_EQ(code_of(nul), ErrorCode::reference_syntax);
  EXPECT_EQ(code_of(""), ErrorCode::reference_syntax);
  EXPECT_EQ(code_of("path:a\nb"), ErrorCode::reference_syntax);
  EXPECT_EQ(code_of("npm:\xff"), ErrorCode::reference_syntax);
  EXPECT_EQ(code_of("npm:" + std::string(Limits::max_reference_bytes, 'a')), ErrorCode::reference_syntax);
  const auto escape = parse_reference("npm:\x1b[31mx");
  ASSERT_FALSE(escape);
  EXPECT_EQ(escape.error().detail().find('\x1b'), std::string::npos);
}

TEST(Reference, TheNormalFormIsReadAgainAsTheSame) {
  for (const std::string& text :
       {std::string("npm:@acme/x@^1.2"), std::string("npm:x"), std::string("pip:a-b>=1,<2"),
        std::string("path:../x"), std::string("./x.zip"), "./x.zip#sha256=" + hex,
        "https://example.org/x.zip?a=b#sha256=" + hex}) {
    EXPECT_EQ(to_string(parse_reference(text).value()), text);
  }
}

TEST(Reference, TheNormalFormHasNoPassword) {
  const auto reference = parse_reference("https://user:hunter2@example.org/x.zip#sha256=" + hex);
  EXPECT_EQ(to_string(reference.value()), "https://example.org/x.zip#sha256=" + hex);
}

TEST(Reference, NamesOfTheSources) {
  EXPECT_EQ(source_name(parse_reference("npm:x").value()), "npm");
  EXPECT_EQ(source_name(parse_reference("pip:x").value()), "pip");
  EXPECT_EQ(source_name(parse_reference("path:x").value()), "path");
  EXPECT_EQ(source_name(parse_reference("x.zip").value()), "archive");
}

TEST(Reference, OfARegistry) {
  const auto package = parsed<RegistryReference>("corp:@acme/x@^1.2");
  EXPECT_EQ(package.registry, "corp");
  EXPECT_EQ(package.package.text(), "@acme/x");
  EXPECT_EQ(package.range, "^1.2");
  EXPECT_EQ(parsed<RegistryReference>("corp:tickets").range, "");
  for (const char* text : {"corp:tickets", "corp:tickets@>=1 <2", "corp:@acme/x@1.0.0"}) {
    const auto reference = parse_reference(text);
    ASSERT_TRUE(reference) << text;
    EXPECT_EQ(to_string(*reference), text);
    EXPECT_EQ(source_name(*reference), "curupira:corp");
  }
  EXPECT_EQ(name_in_policy(*parse_reference("corp:@acme/x@1.0.0")), "corp:@acme/x");
  EXPECT_EQ(registry_of_source("curupira:corp"), "corp");
  EXPECT_FALSE(registry_of_source("npm"));
}

TEST(Reference, OfARegistryThatIsNone) {
  for (const char* text : {"corp:", "corp:X", "corp:../x", "corp:x@", "corp:x@ 1", "corp:x@latest",
                           "corp:x@../y", "corp:@acme", "corp:a/b", "corp:x@1;rm", "corp:-x"}) {
    EXPECT_EQ(code_of(text), ErrorCode::reference_syntax) << text;
  }
}

TEST(Reference, BarePackages) {
  EXPECT_EQ(bare_package("tickets", "corp")->package.text(), "tickets");
  EXPECT_EQ(bare_package("@acme/x@^1", "corp")->range, "^1");
  for (const char* text : {"", "x.zip", "./x", "~/x", "npm:x", "X", "a/b", "x@"})
    EXPECT_FALSE(bare_package(text, "corp")) << text;
}

}  // namespace
}  // namespace curupira::registry
