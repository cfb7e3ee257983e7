"""Listing and describing execute nothing and open no socket, as the kernel sees it."""

import unittest

from curupira_testing import Program, TempHome, main
from curupira_testing.packages import extension_folder, manifest_text
from curupira_testing.paths import EXTENSIONS
from curupira_testing.strace import trace


class NoExecNoSocket(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.home = TempHome()
        cls.addClassCleanup(cls.home.remove)
        cls.curupira = Program(cls.home)
        folder = extension_folder(cls.home.work, "acme")
        references = [f"path:{folder}", f"path:{EXTENSIONS / 'node-hello'}", f"path:{EXTENSIONS / 'binary-hello'}"]
        cls.curupira("plugins", "install", *references, "--yes").expect(0)
        cls.home.plant("python", manifest_text("python", launch='type = "uvx"\npackage = "p"\nexecutable = "p"'))
        cls.home.plant("broken", "[")

    def assert_quiet(self, *arguments: str):
        seen = trace(self.curupira, *arguments)
        seen.result.expect(0)
        self.assertEqual(len(seen.executed), 1, seen.executed)
        self.assertEqual(seen.sockets, [])

    def test_list(self):
        self.assert_quiet("plugins", "list")

    def test_list_json(self):
        self.assert_quiet("plugins", "list", "--json")

    def test_info(self):
        for name in ("acme", "curupira-node-hello", "curupira-binary-hello", "python"):
            with self.subTest(name):
                self.assert_quiet("plugins", "info", name)

    def test_looking_into_a_bundle(self):
        self.curupira("plugins", "bundle", "create", "-o", "acme.oci").expect(0)
        before = self.home.state()
        self.assert_quiet("plugins", "bundle", "inspect", "acme.oci")
        self.assertEqual(self.home.state(), before)

    def test_installing_what_is_installed_opens_no_socket(self):
        """hashicorp/terraform#37557: no network when everything is there."""
        seen = trace(self.curupira, "plugins", "install", f"path:{EXTENSIONS / 'binary-hello'}")
        seen.result.expect(0)
        self.assertEqual(seen.sockets, [])

    def test_the_trace_sees_what_there_is(self):
        """An installation of a package that is probed executes: the other tests cannot pass by seeing nothing."""
        seen = trace(self.curupira, "--version")
        self.assertEqual([path.rsplit("/", 1)[1] for path in seen.executed], ["curupira"])


if __name__ == "__main__":
    main()
