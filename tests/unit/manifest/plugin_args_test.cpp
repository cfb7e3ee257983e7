#include "manifest/plugin_args.h"

#include <gtest/gtest.h>

#include "manifest/extension_lookup.h"

namespace curupira::manifest {
namespace {

using Args = std::vector<std::string>;

struct Case {
  Plugin::Type type;
  Args args;
  std::string spec;
  std::string name;
};

void PrintTo(const Case& one, std::ostream* out) {
  *out << one.spec;
}

class PluginArgs : public testing::TestWithParam<Case> {};

TEST_P(PluginArgs, name_a_package) {
  EXPECT_EQ(package_spec(GetParam().type, GetParam().args), GetParam().spec);
  const Plugin plugin{.alias = "acme", .type = GetParam().type, .args = GetParam().args, .position = {}};
  EXPECT_EQ(plugin.package(), GetParam().name);
}

constexpr auto npx = Plugin::Type::npx;
constexpr auto uvx = Plugin::Type::uvx;

INSTANTIATE_TEST_SUITE_P(
    Npx, PluginArgs,
    testing::Values(Case{npx, {"-y", "@acme/ext@1.2"}, "@acme/ext@1.2", "@acme/ext"},
                    Case{npx, {"@acme/ext"}, "@acme/ext", "@acme/ext"},
                    Case{npx, {"ext@^1.2", "--stdio"}, "ext@^1.2", "ext"},
                    Case{npx, {"--package", "@acme/ext", "bin"}, "@acme/ext", "@acme/ext"},
                    Case{npx, {"--package=@acme/ext@2", "bin"}, "@acme/ext@2", "@acme/ext"},
                    Case{npx, {"-y", "-p", "ext", "bin", "-p", "other"}, "ext", "ext"},
                    Case{npx, {"--yes", "--", "x"}, "x", "x"},
                    Case{npx, {"--registry", "https://registry.example.org", "ext"}, "ext", "ext"},
                    Case{npx, {"--registry=https://registry.example.org", "ext"}, "ext", "ext"},
                    Case{npx, {"ext", "--package", "not-this"}, "ext", "ext"},
                    Case{npx, {"local@npm:@acme/real@1"}, "local@npm:@acme/real@1", "@acme/real"},
                    Case{npx, {"./folder"}, "./folder", "./folder"},
                    Case{npx,
                         {"https://example.org/x@1.tgz"},
                         "https://example.org/x@1.tgz",
                         "https://example.org/x@1.tgz"},
                    Case{npx, {"-y"}, "", ""}, Case{npx, {"--yes", "--"}, "", ""}, Case{npx, {"-p"}, "", ""},
                    Case{npx, {""}, "", ""}));

INSTANTIATE_TEST_SUITE_P(
    Uvx, PluginArgs,
    testing::Values(
        Case{uvx, {"curupira-plugins@0.1.0"}, "curupira-plugins@0.1.0", "curupira-plugins"},
        Case{uvx, {"curupira-plugins"}, "curupira-plugins", "curupira-plugins"},
        Case{uvx,
             {"--from", "curupira-plugins==0.1", "curupira-plugins"},
             "curupira-plugins==0.1",
             "curupira-plugins"},
        Case{uvx, {"--from=acme-ext[extra]>=1,<2", "x"}, "acme-ext[extra]>=1,<2", "acme-ext"},
        Case{uvx, {"--from", "acme ; python_version > '3'", "x"}, "acme ; python_version > '3'", "acme"},
        Case{uvx, {"--with", "requests", "--python", "3.12", "acme"}, "acme", "acme"},
        Case{uvx, {"-q", "--refresh", "acme~=1.0"}, "acme~=1.0", "acme"},
        Case{uvx, {"acme", "--from", "not-this"}, "acme", "acme"},
        Case{uvx,
             {"--from", "acme @ https://example.org/acme.whl", "x"},
             "acme @ https://example.org/acme.whl",
             "acme"},
        Case{uvx,
             {"--from", "git+https://example.org/acme", "x"},
             "git+https://example.org/acme",
             "git+https://example.org/acme"}));

TEST(PluginPackage, an_installed_extension_has_no_package) {
  const Plugin plugin{
      .alias = "a", .type = Plugin::Type::installed, .extension_name = "acme", .position = {}};
  EXPECT_EQ(plugin.package(), "");
}

InstalledExtension extension(std::string name, Launch launch) {
  return {.manifest = {.name = std::move(name),
                       .version = "1.0.0",
                       .trigger_types = {"items"},
                       .launch = std::move(launch)},
          .folder = "/x"};
}

Plugin plugin(Plugin::Type type, Args args) {
  return {.alias = "a", .type = type, .args = std::move(args), .position = {}};
}

class ExtensionLookup : public testing::Test {
 protected:
  std::string find(const Plugin& wanted) const {
    const InstalledExtension* found = find_extension(installed, wanted);
    return found != nullptr ? found->manifest.name : "";
  }

  Discovered installed{.extensions = {extension("a", NpxLaunch{.package = "@acme/ext"}),
                                      extension("b", UvxLaunch{.package = "Acme_Ext", .executable = "x"}),
                                      extension("c", ExecutableLaunch{.program = "x"})},
                       .broken = {}};
};

TEST_F(ExtensionLookup, npx_goes_by_the_package_of_the_launch_table) {
  EXPECT_EQ(find(plugin(npx, {"-y", "@acme/ext@1"})), "a");
}

TEST_F(ExtensionLookup, a_version_in_the_launch_table_does_not_count) {
  installed.extensions[0].manifest.launch = NpxLaunch{.package = "@acme/ext@^2"};
  EXPECT_EQ(find(plugin(npx, {"@acme/ext"})), "a");
}

TEST_F(ExtensionLookup, python_names_are_compared_as_indexes_do) {
  EXPECT_EQ(find(plugin(uvx, {"--from", "acme-ext==1", "x"})), "b");
}

TEST_F(ExtensionLookup, npm_and_python_packages_are_different_things) {
  EXPECT_EQ(find(plugin(uvx, {"@acme/ext"})), "");
  EXPECT_EQ(find(plugin(npx, {"Acme_Ext"})), "");
}

TEST_F(ExtensionLookup, else_the_receipt_names_the_package) {
  installed.extensions[2].receipt = Receipt{.name = "c",
                                            .version = "1.0.0",
                                            .reference = {},
                                            .source = "pip",
                                            .package = "c-ext",
                                            .launch_type = {},
                                            .artifacts = {},
                                            .content = {},
                                            .command = {},
                                            .trees = {}};
  EXPECT_EQ(find(plugin(uvx, {"c_ext"})), "c");
  EXPECT_EQ(find(plugin(npx, {"c-ext"})), "");
}

TEST_F(ExtensionLookup, installed_goes_by_the_name) {
  EXPECT_EQ(find({.alias = "x", .type = Plugin::Type::installed, .extension_name = "c", .position = {}}),
            "c");
}

TEST_F(ExtensionLookup, arguments_without_a_package_find_nothing) {
  EXPECT_EQ(find(plugin(npx, {"-y"})), "");
}

}  // namespace
}  // namespace curupira::manifest
