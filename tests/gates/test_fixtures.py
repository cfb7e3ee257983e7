"""What the fixtures' manifests promise is true."""

import io
import json
import re
import tarfile
import tomllib
import unittest

from curupira_testing import main
from curupira_testing.hostile import RECIPES, good_archives
from curupira_testing.packages import ARCHIVE_FORMATS, HELLO, pack, sha256
from curupira_testing.paths import EXTENSIONS, REPOSITORY


def manifests() -> dict[str, dict]:
    return {
        file.parent.name: tomllib.loads(file.read_text(encoding="utf-8"))
        for file in sorted(EXTENSIONS.glob("*/curupira-extension.toml"))
    }


class Manifests(unittest.TestCase):
    def test_digests_and_sizes_are_those_of_the_files(self):
        checked = 0
        for name, manifest in manifests().items():
            for platform, entry in manifest["launch"].get("platforms", {}).items():
                data = (EXTENSIONS / name / entry["url"]).read_bytes()
                with self.subTest(name, platform=platform):
                    self.assertEqual((entry["sha256"], entry["size"]), (sha256(data), len(data)))
                checked += 1
        self.assertEqual(checked, 4)

    def test_the_packed_program_is_the_one_in_the_checkout(self):
        launch = manifests()["archive-launch-hello"]["launch"]["platforms"]["linux-x86_64"]
        with tarfile.open(EXTENSIONS / "archive-launch-hello" / launch["url"]) as archive:
            packed = archive.extractfile("hello-1.0.0/" + launch["program"]).read()
        self.assertEqual(packed, HELLO.read_bytes())

    def test_node_manifests_agree_with_package_json(self):
        for name, manifest in manifests().items():
            package = EXTENSIONS / name / "package.json"
            if package.exists():
                described = json.loads(package.read_text(encoding="utf-8"))
                with self.subTest(name):
                    self.assertEqual(manifest["launch"]["package"], described["name"])
                    self.assertEqual(manifest["version"], described["version"])


class Recipes(unittest.TestCase):
    def test_packing_is_deterministic(self):
        files = {"a/b": b"text", "c": b"program"}
        for kind in ARCHIVE_FORMATS:
            with self.subTest(kind):
                self.assertEqual(pack(files, kind, ("c",)), pack(files, kind, ("c",)))

    def test_what_hostile_archives_differ_from_is_good(self):
        good = good_archives()
        with tarfile.open(fileobj=io.BytesIO(good["good-entries.tar.gz"])) as archive:
            self.assertEqual(archive.getnames(), ["curupira-extension.toml", "hello"])

    def test_every_recipe_names_an_error_code_that_exists(self):
        table = (REPOSITORY / "base" / "error_codes.def").read_text(encoding="utf-8")
        codes = {f"CUR-{number}" for number in re.findall(r"^X\((\d{4}),", table, re.MULTILINE)}
        self.assertEqual({code for _, code in RECIPES.values()} - codes, set())


if __name__ == "__main__":
    main()
