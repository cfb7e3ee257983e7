#include <gtest/gtest.h>

#include "manifest/settings.h"

namespace curupira::manifest {
namespace {

struct Remote {
  const char* remote;
  const char* identity;
};

class ForgeIdentity : public testing::TestWithParam<Remote> {};

TEST_P(ForgeIdentity, is_owner_and_name) {
  EXPECT_EQ(forge_identity(GetParam().remote), GetParam().identity);
}

INSTANTIATE_TEST_SUITE_P(Remotes, ForgeIdentity,
                         testing::Values(Remote{"https://example.org/acme/api", "acme/api"},
                                         Remote{"https://example.org/acme/api.git", "acme/api"},
                                         Remote{"https://example.org/acme/api.git.git", "acme/api"},
                                         Remote{"https://example.org/acme/api.git/", "acme/api"},
                                         Remote{"https://example.org/group/sub/api.git", "sub/api"},
                                         Remote{"ssh://git@example.org/acme/api.git", "acme/api"},
                                         Remote{"ssh://git@example.org:22/acme/api.git", "acme/api"},
                                         Remote{"git@example.org:acme/api.git", "acme/api"},
                                         Remote{"git@example.org:a/b/api.git", "b/api"},
                                         Remote{"git@example.org:/srv/api.git", "srv/api"},
                                         Remote{"git@example.org:api.git", "api"},
                                         Remote{"/srv/git/api.git", "git/api"},
                                         Remote{"file:///srv/git/api.git", "git/api"},
                                         Remote{"https://example.org//acme//api.git", "acme/api"},
                                         Remote{"https://example.org/A/Api.GIT", "A/Api.GIT"},
                                         Remote{"api", "api"}, Remote{"/api.git", "api"}, Remote{"", ""},
                                         Remote{"/", ""}, Remote{".git", ""}));

// The identity is part of prompts and task keys.
TEST(ForgeIdentityOfUrl, has_no_password) {
  EXPECT_EQ(forge_identity("https://me:hunter2@example.org/api.git"), "example.org/api");
}

}  // namespace
}  // namespace curupira::manifest
