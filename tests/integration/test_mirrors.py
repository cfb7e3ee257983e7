"""Mirrors of a registry: who is dead is skipped, who gives bad bytes is named, and only what nobody has is an error."""

import unittest

from curupira_testing import TempHome, main
from curupira_testing.carrier_tool import FILES, CarrierTool, write
from curupira_testing.lying_server import LyingServer
from curupira_testing.network import WebServer
from curupira_testing.services import free_port

ROOT, SNAPSHOT = "metadata/1.root.json", "metadata/7.snapshot.json"
TARGETS = [item for item in FILES if item.startswith("targets/")]
ARTIFACT = TARGETS[-1]


class Mirrors(unittest.TestCase):
    """`get` asks the first address and then the others; the last one is a folder with everything unless told otherwise."""

    def setUp(self):
        self.home = TempHome.of(self)
        self.tool = CarrierTool(self.home, CURUPIRA_STALL_TIMEOUT="1")
        self.mirror = self.home.work / "mirror"
        write(self.mirror)

    def get(self, addresses: list[str], *items: str):
        first, *others = [*addresses, str(self.mirror)]
        options = tuple(word for address in others for word in ("--mirror", address))
        return self.tool.get(first, *items, options=options)

    def assert_one_note(self, result, address: str, *words: str) -> None:
        notes = [line for line in result.stderr.splitlines() if address in line]
        self.assertEqual(len(notes), 1, result)
        for word in ("is not asked any more in this run", *words):
            self.assertIn(word, notes[0])


class Dead(Mirrors):
    def test_nobody_listens(self):
        address = f"http://127.0.0.1:{free_port()}/"
        result = self.get([address], *FILES).expect(0)
        self.assertEqual(self.tool.got(), FILES)
        self.assert_one_note(result, address, "note: ")

    def test_nobody_knows_the_name(self):
        """NixOS/nix#6901: a name that does not resolve is no reason to give up."""
        address = "https://registry.invalid/"
        result = self.get([address], *FILES).expect(0)
        self.assertEqual(self.tool.got(), FILES)
        self.assert_one_note(result, address, "note: ")

    def test_it_falls_silent(self):
        server = LyingServer.of(self, b"x" * 100)
        address = server.url("hang", "")
        server.piece = 0
        result = self.get([address], *FILES).expect(0)
        self.assertEqual(self.tool.got(), FILES)
        self.assert_one_note(result, address, "note: ")

    def test_it_refuses_access(self):
        server = WebServer.of(self, login=("me", "secret"))
        write(server.files)
        result = self.get([server.url], *FILES).expect(0)
        self.assertEqual(self.tool.got(), FILES)
        self.assert_one_note(result, server.url, "warning: ", "no credentials are configured")
        self.assertEqual(len(server.asked()), 1)

    def test_an_oci_registry_that_is_away(self):
        address = f"oci://127.0.0.1:{free_port()}/team/plugins"
        result = self.get([address], *FILES).expect(0)
        self.assertEqual(self.tool.got(), FILES)
        self.assert_one_note(result, address, "note: ")

    def test_a_folder_that_is_away(self):
        address = str(self.home.work / "not-plugged-in")
        result = self.get([address], ROOT, ARTIFACT).expect(0)
        self.assert_one_note(result, address, "note: ")

    def test_everybody(self):
        first, second = (f"http://127.0.0.1:{free_port()}/" for _ in range(2))
        for item in (ROOT, ARTIFACT):
            result = self.tool.get(first, item, options=("--mirror", second))
            result.expect_error("CUR-4706", f"{first}: the server could not", f"{second}: the server could not")
        self.assertEqual(self.tool.got(), {})

    def test_alone_it_says_what_is_wrong_itself(self):
        self.tool.get(f"http://127.0.0.1:{free_port()}/", ROOT).expect_error("CUR-2001")


class Incomplete(Mirrors):
    def setUp(self):
        super().setUp()
        self.first = self.home.work / "first"
        write(self.first, {ROOT: FILES[ROOT]})

    def test_what_one_lacks_another_has(self):
        result = self.get([str(self.first)], *FILES).expect(0)
        self.assertEqual(self.tool.got(), FILES)
        self.assertEqual(result.stderr, "")

    def test_what_nobody_has(self):
        missing = "targets/artifacts/none-1.0.0.tar.gz"
        self.get([str(self.first)], missing).expect_error("CUR-4706", str(self.first), str(self.mirror), "none-1.0.0.tar.gz")

    def test_metadata_that_nobody_has_is_no_error(self):
        dead = f"http://127.0.0.1:{free_port()}/"
        result = self.get([dead, str(self.first)], "metadata/2.root.json").expect(0)
        self.assertIn("metadata/2.root.json none", result.stdout)


class BadBytes(Mirrors):
    def test_a_target_is_taken_from_the_next_and_the_first_is_named(self):
        first = self.home.work / "first"
        write(first)
        (first / ARTIFACT).write_bytes(b"x" * len(FILES[ARTIFACT]))
        result = self.get([str(first)], *TARGETS).expect(0)
        self.assertEqual(self.tool.got(), {item: FILES[item] for item in TARGETS})
        warnings = [line for line in result.stderr.splitlines() if line.startswith("warning: ")]
        self.assertEqual(len(warnings), 1)
        self.assertIn(f"warning: {first} gave something else", warnings[0])

    def test_a_half_of_it_is_thrown_away(self):
        server = LyingServer.of(self, FILES[ARTIFACT])
        self.get([server.url("early", "")], ARTIFACT).expect(0)
        self.assertEqual(self.tool.got(), {ARTIFACT: FILES[ARTIFACT]})

    def test_more_than_allowed(self):
        server = LyingServer.of(self)
        first, *options = [server.url("endless", ""), "--max", "4000000", "--mirror", str(self.mirror)]
        result = self.tool.get(first, ARTIFACT, options=tuple(options)).expect(0)
        self.assertIn(f"warning: {first} gave something else", result.stderr)
        self.assertEqual(self.tool.got(), {ARTIFACT: FILES[ARTIFACT]})

    def test_metadata_that_does_not_hold_is_told_by_who_checks_it(self):
        first = self.home.work / "first"
        write(first, {**FILES, ROOT: b"{}", SNAPSHOT: b"{}"})
        result = self.get([str(first)], ROOT, "reject", ROOT, SNAPSHOT, ARTIFACT, "reject").expect(0)
        self.assertEqual([line for line in result.stdout.splitlines() if " bytes" not in line], ["again", "nobody else"])
        self.assertEqual(self.tool.got(), {item: FILES[item] for item in (ROOT, SNAPSHOT, ARTIFACT)})
        self.assertIn(f"warning: {first} is not asked for metadata any more in this run", result.stderr)

    def test_without_mirrors_there_is_nobody_else(self):
        result = self.tool.get(str(self.mirror), ROOT, "reject").expect(0)
        self.assertIn("nobody else", result.stdout)

    def test_nobody_has_the_right_bytes(self):
        first = self.home.work / "first"
        for folder in (first, self.mirror):
            write(folder, {ARTIFACT: b"something else"})
        result = self.get([str(first)], ARTIFACT)
        result.expect_error("CUR-4706", f"{first}: the artifact is not", f"{self.mirror}: the artifact is not")
        self.assertEqual(self.tool.got(), {})


if __name__ == "__main__":
    main()
