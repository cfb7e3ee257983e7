"""The official extension, from the index that this machine is configured for."""

import json
import unittest

from curupira_testing import Program, TempHome, main, skip


class OfficialExtension(unittest.TestCase):
    def test_installed_listed_and_described(self):
        skip.need_uv()
        skip.need_python_index()
        with TempHome(index=True) as home:
            curupira = Program(home)
            result = curupira("plugins", "install", "pip:curupira-plugins", "--yes", timeout=300).expect(0)
            self.assertIn("Installed extension curupira-plugins", result.stdout)
            listed = curupira("plugins", "list").expect(0).stdout
            for trigger in ("github-issues", "github-pull-requests", "github-project-items"):
                self.assertRegex(listed, rf"(?m)^{trigger}\tcurupira-plugins \d+\.\d+\.\d+\t")
            info = json.loads(curupira("plugins", "info", "curupira-plugins", "--json").expect(0).stdout)
            self.assertIn("pydantic", {artifact["package"] for artifact in info["artifacts"]})


if __name__ == "__main__":
    main()
