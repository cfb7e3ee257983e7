"""Archives that attack: each is refused with the rule it breaks, and nothing is written anywhere."""

import os
import unittest
from pathlib import Path

from curupira_testing import Program, TempHome, main
from curupira_testing.hostile import RECIPES, archive_name, good_archives

#: Where a recipe that gets through would write.
TRAPS = ("/tmp/curupira-hostile-absolute", "/tmp/curupira-hostile", "/tmp/curupira-hostile-zip")


class HostileArchives(unittest.TestCase):
    def test_refused_and_nothing_is_left(self):
        for name, (make, error) in RECIPES.items():
            with self.subTest(name), TempHome() as home:
                archive = home.work / archive_name(name)
                archive.write_bytes(make())
                result = Program(home)("plugins", "install", f"./{archive.name}", "--yes", timeout=60)
                result.expect_error(error, archive.name)
                self.assertEqual(home.state(), {})
                self.assertEqual(os.listdir(home.temporary), [])
                self.assertEqual(sorted(each.name for each in home.folder.iterdir()), ["home", "tmp", "tools", "work"])
                self.assertEqual([trap for trap in TRAPS if Path(trap).exists()], [])

    def test_what_they_differ_from_is_installed(self):
        for name, data in good_archives().items():
            with self.subTest(name), TempHome() as home:
                (home.work / name).write_bytes(data)
                Program(home)("plugins", "install", f"./{name}", "--yes").expect(0)
                self.assertEqual(home.installed(), ["hostile"])


if __name__ == "__main__":
    main()
