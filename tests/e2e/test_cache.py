"""`cache info` and `cache prune`: what the store holds, who uses it, and what may go."""

import json
import os
import unittest

from curupira_testing import Program, TempHome, main
from curupira_testing.lying_server import LyingServer
from curupira_testing.packages import acme_archive, extension_folder, sha256


class Cache(unittest.TestCase):
    def setUp(self):
        self.home = TempHome.of(self)
        self.curupira = Program(self.home)

    def install(self, reference: object) -> None:
        self.curupira("plugins", "install", str(reference), "--yes").expect(0)

    def folder(self, name: str, version: str = "1.0.0") -> str:
        return f"path:{extension_folder(self.home.work, name, version)}"

    def info(self) -> dict:
        return json.loads(self.curupira("cache", "info", "--json").expect(0).stdout)

    def test_info(self):
        self.install(acme_archive(self.home.work))
        self.install(self.folder("other", "1.0.0"))
        self.install(self.folder("other", "2.0.0"))
        info = self.info()
        self.assertEqual(info["kinds"]["blobs"]["count"], 1)
        self.assertEqual(info["usedBy"]["generations"]["count"], 1)
        users = info["users"]
        self.assertEqual((users["extensions"], users["generations"], users["running"]), (2, 4, 0))
        kinds = sum(each["bytes"] for each in info["kinds"].values())
        self.assertEqual(info["bytes"], kinds)
        self.assertEqual(kinds, sum(each["bytes"] for each in info["usedBy"].values()))
        text = self.curupira("cache", "info").expect(0).stdout
        self.assertIn("rollback only", text)
        self.assertIn("2 extensions, 4 generations", text)

    def test_info_of_an_empty_home_changes_nothing(self):
        self.assertEqual(self.info()["bytes"], 0)
        self.assertFalse(self.home.curupira.exists())

    def test_prune_keeps_what_rollback_needs_unless_told_otherwise(self):
        self.install(self.folder("acme", "1.0.0"))
        self.install(self.folder("acme", "2.0.0"))
        before = self.home.state()
        self.curupira("cache", "prune").expect(0)
        self.assertEqual(self.home.state(), before)
        would = json.loads(
            self.curupira("cache", "prune", "--keep-generations", "1", "--dry-run", "--json").expect(0).stdout
        )
        self.assertEqual(self.home.state(), before)
        self.assertEqual((would["dryRun"], would["generations"], len(would["objects"])), (True, [0, 1], 1))
        text = self.curupira("cache", "prune", "--keep-generations", "1").expect(0).stdout
        self.assertIn(would["objects"][0], text)
        self.assertIn("freed", text)
        self.curupira("plugins", "rollback").expect_error("CUR-4201")
        self.assertEqual(self.info()["usedBy"]["generations"]["count"], 0)

    def test_a_budget(self):
        """awslabs/mcp#1400."""
        self.install(self.folder("acme", "1.0.0"))
        self.install(self.folder("acme", "2.0.0"))
        size = self.info()["bytes"]
        fits = json.loads(self.curupira("cache", "prune", "--max-size", "1GB", "--json").expect(0).stdout)
        self.assertEqual(fits["generations"], [])
        less = json.loads(self.curupira("cache", "prune", "--max-size", str(size - 1), "--json").expect(0).stdout)
        self.assertEqual(less["generations"], [0, 1])
        self.assertTrue(less["withinBudget"])
        text = self.curupira("cache", "prune", "--max-size", "1").expect(0).stdout
        self.assertIn("what is left is in use", text)
        self.assertEqual(self.home.installed(), ["acme"])

    def test_age(self):
        self.install(self.folder("acme", "1.0.0"))
        self.install(self.folder("acme", "2.0.0"))
        young = json.loads(self.curupira("cache", "prune", "--max-age", "1", "--json").expect(0).stdout)
        self.assertEqual(young["generations"], [])

    def test_a_download_that_broke_off(self):
        server = LyingServer.of(self, os.urandom(3 << 20))
        server.piece = 1 << 19
        reference = f"{server.url('pieces')}#sha256={sha256(server.body)}"
        self.curupira("plugins", "install", reference, "--yes").expect_error("CUR-2006")
        parts = self.home.curupira / "cache" / "partial"
        partial = self.info()["partialDownloads"]
        self.assertEqual(partial["count"], 1)
        self.assertEqual(partial["bytes"], sum(each.stat().st_size for each in parts.iterdir()))
        self.assertIn("downloads that broke off: 1, ", self.curupira("cache", "info").expect(0).stdout)
        would = json.loads(self.curupira("cache", "prune", "--dry-run", "--json").expect(0).stdout)
        self.assertEqual((would["partialDownloads"], would["freedBytes"]), (1, partial["bytes"]))
        self.assertIn("- 1 download that broke off", self.curupira("cache", "prune").expect(0).stdout)
        self.assertFalse(parts.exists())
        self.assertEqual(self.info()["partialDownloads"], {"count": 0, "bytes": 0})

    def test_wrong_arguments(self):
        for arguments in (("--max-size", "many"), ("--keep-generations", "0"), ("--max-age", "-1")):
            with self.subTest(arguments):
                self.curupira("cache", "prune", *arguments).expect_error("CUR-1001", code=2)

    def test_a_receipt_that_cannot_be_read_keeps_everything(self):
        self.install(self.folder("acme"))
        receipt = self.home.extensions / "acme" / "receipt.json"
        receipt.write_text("{")
        result = self.curupira("cache", "prune", "--keep-generations", "1").expect(0)
        self.assertIn(str(receipt), result.stderr)
        self.assertEqual(self.info()["kinds"]["trees"]["count"], 1)


if __name__ == "__main__":
    main()
