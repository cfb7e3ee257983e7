#include "installer/python_environment.h"

#include "tests/unit/installer/home_fixture.h"
#include "tests/unit/installer/wheel_bytes.h"

namespace curupira::installer::test {
namespace {

namespace fs = std::filesystem;

/// pip:acme-ext, a closure of wheels. No program is started: there is none.
class PythonEnvironment : public HomeFixture {
 protected:
  void add(const std::string& package, const std::string& wheel, const std::string& file_name = {}) {
    const std::string name = file_name.empty() ? package + "-1.0.0-py3-none-any.whl" : file_name;
    const std::string url = "https://index.example.org/" + name;
    http_.bodies[url] = wheel;
    artifacts_.push_back({.package = package,
                          .version = "1.0.0",
                          .file_name = name,
                          .location = *Url::parse(url),
                          .proof = {.any_of = {digest_of(DigestAlgorithm::sha256, wheel)}}});
  }
  /// The package itself.
  void add_extension(std::map<std::string, std::string> files = {}) {
    files.emplace("acme_ext/__init__.py", "def main(): pass\n");
    files.emplace("acme_ext/curupira-extension.toml", manifest_text("acme-ext", "1.0.0", uvx()));
    files.emplace("acme_ext-1.0.0.dist-info/entry_points.txt",
                  "[console_scripts]\nacme-ext = acme_ext:main [x]\n");
    add("acme-ext", wheel_of("acme_ext", "1.0.0", std::move(files), {{"acme_ext/tool", 0100755}}));
  }
  registry::Reference reference() {
    const registry::PipReference pip{.name = "acme-ext", .specifiers = "==1.0.0"};
    source_->resolutions.insert_or_assign(
        registry::to_string(registry::Reference(pip)),
        registry::Resolution{
            .reference = pip,
            .package = "acme-ext",
            .version = "1.0.0",
            .artifacts = artifacts_,
            .content = registry::PythonClosure{
                .root = "acme-ext",
                .python = {.executable = "/opt/py/bin/python3.11", .version = "3.11.7", .minor = "3.11"}}});
    return pip;
  }
  static std::string uvx(const std::string& executable = "acme-ext") {
    return "type = \"uvx\"\npackage = \"acme-ext\"\nexecutable = \"" + executable + "\"\n";
  }
  fs::path environment() const { return home_.environments() / receipt("acme-ext").content.digest; }
  std::string text(const std::string& path) const { return curupira::test::text_of(environment() / path); }

  std::vector<registry::Artifact> artifacts_;
  const std::string site_ = "lib/python3.11/site-packages/";
};

TEST_F(PythonEnvironment, IsLinksToTheTreesOfItsWheels) {
  add_extension();
  add("dep", wheel_of("dep", "1.0.0", {{"dep.py", "x = 1\n"}}));
  ASSERT_TRUE(install({reference()})) << detail_;
  EXPECT_TRUE(processes_.requests.empty()) << "nothing is executed";
  const auto receipt = this->receipt("acme-ext");
  EXPECT_EQ(receipt.content.kind, manifest::ReceiptContent::Kind::venv);
  EXPECT_EQ(receipt.command.entry->text(), "bin/acme-ext");
  EXPECT_EQ(receipt.trees.size(), 2U);
  EXPECT_EQ(text(site_ + "dep.py"), "x = 1\n");
  EXPECT_GE(fs::hard_link_count(environment() / (site_ + "dep.py")), 2U);
  EXPECT_EQ(text("pyvenv.cfg"),
            "home = /opt/py/bin\ninclude-system-site-packages = false\nversion = 3.11.7\n");
  EXPECT_EQ(fs::read_symlink(environment() / "bin/python"), "/opt/py/bin/python3.11");
  EXPECT_EQ(fs::read_symlink(environment() / "bin/python3.11"), "python");
  EXPECT_TRUE(text("bin/acme-ext").starts_with("#!" + (environment() / "bin/python").string()) ||
              text("bin/acme-ext").starts_with("#!/bin/sh\n"));
}

TEST_F(PythonEnvironment, IsMadeOnce) {
  add_extension();
  ASSERT_TRUE(install({reference()})) << detail_;
  const auto before = state();
  const auto plan = install({reference()});
  ASSERT_TRUE(plan);
  EXPECT_FALSE(plan->changes_something());
  EXPECT_EQ(state(), before);
}

TEST_F(PythonEnvironment, DataGoesWhereItsSchemeSays) {
  const std::string data = "acme_ext-1.0.0.data/";
  add_extension({{data + "purelib/pure.py", "p"},
                 {data + "platlib/plat.py", "q"},
                 {data + "scripts/run.py", "#!python -O\nprint()\n"},
                 {data + "scripts/run.sh", "#!/bin/sh\n"},
                 {data + "headers/acme.h", "h"},
                 {data + "data/share/acme/x.txt", "d"}});
  ASSERT_TRUE(install({reference()})) << detail_;
  EXPECT_EQ(text(site_ + "pure.py"), "p");
  EXPECT_EQ(text(site_ + "plat.py"), "q");
  EXPECT_EQ(text("include/site/python3.11/acme-ext/acme.h"), "h");
  EXPECT_EQ(text("share/acme/x.txt"), "d");
  EXPECT_EQ(text("bin/run.sh"), "#!/bin/sh\n");
  EXPECT_EQ(text("bin/run.py").find("#!python"), std::string::npos);
  EXPECT_TRUE(text("bin/run.py").ends_with("print()\n"));
  for (const char* program : {"bin/run.py", "bin/run.sh", "bin/acme-ext"})
    EXPECT_NE(fs::status(environment() / program).permissions() & fs::perms::owner_exec, fs::perms::none)
        << program;
}

TEST_F(PythonEnvironment, RecordSaysWhatIsThere) {
  add_extension({{"acme_ext-1.0.0.dist-info/RECORD.jws", "signature"},
                 {"acme_ext-1.0.0.dist-info/INSTALLER", "pip\n"}});
  ASSERT_TRUE(install({reference()})) << detail_;
  const std::string info = "acme_ext-1.0.0.dist-info/";
  EXPECT_EQ(text(site_ + info + "INSTALLER"), "curupira\n");
  EXPECT_FALSE(fs::exists(environment() / (site_ + info + "RECORD.jws")));
  const auto record = parse_wheel_record(text(site_ + info + "RECORD"));
  ASSERT_TRUE(record);
  ASSERT_TRUE(record->contains("../../../bin/acme-ext"));
  for (const auto& [path, digest] : *record) {
    if (path == info + "RECORD") continue;
    ASSERT_TRUE(digest) << path;
    EXPECT_EQ(digest_of(DigestAlgorithm::sha256, text(site_ + path)), *digest) << path;
  }
}

TEST_F(PythonEnvironment, AFileThatItsRecordDoesNotVouchFor) {
  const std::string info = "acme_ext-1.0.0.dist-info/";
  const auto line = [](const std::string& path, const std::string& contents) {
    return record_line(path, digest_of(DigestAlgorithm::sha256, contents), contents.size());
  };
  const std::string metadata = "Name: acme_ext\nVersion: 1.0.0\n",
                    wheel = "Wheel-Version: 1.0\nRoot-Is-Purelib: true\n";
  const std::string frame = line(info + "METADATA", metadata) + line(info + "WHEEL", wheel);
  for (const std::string& record : {frame, frame + line("x.py", "other"), frame + "x.py,,\n",
                                    frame + line("x.py", "x") + line("y.py", "y")}) {
    artifacts_.clear();
    add("acme-ext", wheel_of("acme_ext", "1.0.0",
                             {{"x.py", "x"},
                              {info + "METADATA", metadata},
                              {info + "WHEEL", wheel},
                              {info + "RECORD", record}}));
    EXPECT_EQ(refusal({reference()}), ErrorCode::wheel_invalid) << record;
  }
  EXPECT_TRUE(state().empty());
}

TEST_F(PythonEnvironment, TwoWheelsThatOwnOnePath) {
  add_extension({{"shared/__init__.py", "a"}, {"same/__init__.py", ""}});
  add("dep", wheel_of("dep", "1.0.0", {{"shared/__init__.py", "b"}, {"same/__init__.py", ""}}));
  EXPECT_EQ(refusal({reference()}), ErrorCode::wheel_conflict);
  EXPECT_NE(detail_.find("shared/__init__.py of dep is also of acme-ext"), std::string::npos) << detail_;
  EXPECT_TRUE(state().empty());
}

TEST_F(PythonEnvironment, TheEnvironmentsOwnFilesBelongToNoWheel) {
  for (const char* path : {"data/pyvenv.cfg", "data/bin/python", "scripts/python3.11", "scripts/acme-ext",
                           "data/lib", "data/BIN/python3"}) {
    artifacts_.clear();
    add_extension({{std::string("acme_ext-1.0.0.data/") + path, "x"}});
    EXPECT_EQ(refusal({reference()}), ErrorCode::wheel_conflict) << path;
  }
}

TEST_F(PythonEnvironment, AnotherPackageThanWasResolved) {
  add("acme-ext", wheel_of("other", "1.0.0", {}));
  EXPECT_EQ(refusal({reference()}), ErrorCode::identity_mismatch);
  artifacts_.clear();
  add("acme-ext", wheel_of("acme_ext", "1.0.1", {}));
  EXPECT_EQ(refusal({reference()}), ErrorCode::identity_mismatch);
  artifacts_.clear();
  add("acme-ext", wheel_of("acme_ext", "1.0.0", {{"z.dist-info/METADATA", ""}}));
  EXPECT_EQ(refusal({reference()}), ErrorCode::wheel_invalid) << "two of them";
}

TEST_F(PythonEnvironment, ASchemeThatIsNotKnown) {
  add_extension({{"acme_ext-1.0.0.data/elsewhere/x", "x"}});
  EXPECT_EQ(refusal({reference()}), ErrorCode::wheel_invalid);
}

TEST_F(PythonEnvironment, AWheelNameThatIsAPath) {
  add("acme-ext", "a wheel", "sub/x.whl");
  EXPECT_EQ(refusal({reference()}), ErrorCode::resolution_unsafe);
}

TEST_F(PythonEnvironment, AnExecutableThatIsNoConsoleScript) {
  add_extension({{"acme_ext/curupira-extension.toml", manifest_text("acme-ext", "1.0.0", uvx("other"))}});
  EXPECT_EQ(refusal({reference()}), ErrorCode::bin_not_found);
  EXPECT_NE(detail_.find("acme-ext"), std::string::npos) << "lists what there is";
}

TEST_F(PythonEnvironment, SeveralConsoleScriptsAndNoManifest) {
  const std::string entries = "acme_ext-1.0.0.dist-info/entry_points.txt";
  add("acme-ext", wheel_of("acme_ext", "1.0.0", {{entries, "[console_scripts]\na = x:a\nb = x:b\n"}}));
  EXPECT_EQ(refusal({reference()}), ErrorCode::bin_ambiguous);
  artifacts_.clear();
  add("acme-ext", wheel_of("acme_ext", "1.0.0", {{entries, ""}}));
  EXPECT_EQ(refusal({reference()}), ErrorCode::bin_not_found);
}

}  // namespace
}  // namespace curupira::installer::test
