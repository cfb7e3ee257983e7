#include "cli/report.h"

#include <gtest/gtest.h>

#include <sstream>

namespace curupira::cli {
namespace {

struct Screen {
  std::istringstream in;
  std::ostringstream out, err;
  Terminal terminal{in, out, err};
};

TEST(Report, AnErrorSaysWhatWasDoneWhatWentWrongAndWhatToDo) {
  Screen screen;
  print_error(screen.terminal, Error(ErrorCode::digest_mismatch, "expected sha512-A\nfound    sha512-B")
                                   .while_doing("fetching x-1.2.3.tgz")
                                   .while_doing("installing npm:@acme/x@1.2.3"));
  EXPECT_EQ(screen.err.str(),
            "error[CUR-2104]: the artifact is not the one that was promised\n"
            "  while installing npm:@acme/x@1.2.3\n"
            "  while fetching x-1.2.3.tgz\n"
            "  expected sha512-A\n"
            "  found    sha512-B\n"
            "  help: the registry or a proxy on the way changed it; `curupira doctor network` shows the way; "
            "nothing was "
            "installed\n");
  EXPECT_EQ(screen.out.str(), "");
}

TEST(Report, NothingFromOutsideDrivesTheTerminal) {
  Screen screen;
  print_error(screen.terminal, Error(ErrorCode::http_status, "\x1b[2J\u202e"));
  EXPECT_EQ(screen.err.str().find('\x1b'), std::string::npos);
  EXPECT_EQ(screen.err.str().find("\u202e"), std::string::npos);
}

TEST(Report, TheCauseIsNamed) {
  Screen screen;
  print_error(screen.terminal,
              Error(ErrorCode::registry_unreadable).caused_by(Error(ErrorCode::json_invalid, "at byte 7")));
  EXPECT_NE(screen.err.str().find("because "), std::string::npos);
  EXPECT_NE(screen.err.str().find("at byte 7"), std::string::npos);
}

TEST(Report, NotesAreShownOnRequestOnly) {
  Screen screen;
  PrintedDiagnostics quiet(screen.terminal, false);
  quiet.note("a note");
  EXPECT_EQ(screen.err.str(), "");
  PrintedDiagnostics verbose(screen.terminal, true);
  verbose.note("a note");
  EXPECT_EQ(screen.err.str(), "note: a note\n");
}

TEST(Report, AWarningNamesItsPlace) {
  Screen screen;
  PrintedDiagnostics diagnostics(screen.terminal, false);
  diagnostics.report({.text = "unknown key", .file = "a.toml", .position = TextPosition{3, 1}});
  EXPECT_EQ(screen.err.str(), "warning: a.toml:3:1: unknown key\n");
}

}  // namespace
}  // namespace curupira::cli
