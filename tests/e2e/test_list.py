"""`plugins list` and `plugins info`: what is there, from manifests alone."""

import json
import unittest

from curupira_testing import Program, TempHome, main
from curupira_testing.packages import extension_folder, manifest_text

AGENTS = "claude codex copilot cursor gemini kilo opencode pi qwen".split()


class List(unittest.TestCase):
    def setUp(self):
        self.home = TempHome.of(self)
        self.curupira = Program(self.home)
        version = self.curupira("--version").expect(0).stdout.split()[1]
        self.built_in = f"curupira {version} (built-in)"

    def rows(self, *arguments: str, **options) -> list[list[str]]:
        result = self.curupira("plugins", "list", *arguments, **options).expect(0)
        self.assertTrue(result.stdout.endswith("\n"))
        return [line.split("\t") for line in result.stdout.splitlines()]

    def own(self, **options) -> list[str]:
        """Trigger and origin of what is not built in."""
        return [f"{row[0]} {row[1]}" for row in self.rows(**options) if row[1] != self.built_in]

    def test_an_empty_home_has_cron_and_the_agents(self):
        rows = self.rows()
        self.assertEqual(rows[0], ["cron", self.built_in, "prompt fields: -"])
        self.assertEqual([row[0] for row in rows[1:]], [f"agent:{name}" for name in AGENTS])
        self.assertEqual(rows[1], ["agent:claude", self.built_in, "executable: claude"])
        self.assertIn(["agent:cursor", self.built_in, "executable: agent"], rows)
        self.assertFalse(self.home.extensions.exists(), "listing makes nothing")

    def test_cron_first_the_rest_in_order(self):
        self.home.plant("b", manifest_text("beta", "2.0.0", triggers=("zebra", "ant", "Zoo")))
        self.home.plant("a", manifest_text("alpha", triggers=("ant",)))
        names = [row[0] for row in self.rows()]
        self.assertEqual(names[0], "cron")
        self.assertEqual(names[1:], sorted(names[1:]))
        self.assertEqual([row[1] for row in self.rows() if row[0] == "ant"], ["alpha 1.0.0", "beta 2.0.0"])
        row = next(row for row in self.rows() if row[0] == "zebra")
        self.assertEqual(row, ["zebra", "beta 2.0.0", "prompt fields: (see extension)"])

    def test_a_broken_manifest_hides_nobody(self):
        self.home.plant("good", manifest_text("good", triggers=("fine",)))
        bad = self.home.plant("bad", manifest_text("bad").replace('kind = "trigger"', "kind = trigger"))
        result = self.curupira("plugins", "list").expect(0)
        self.assertIn("fine\tgood 1.0.0\t", result.stdout)
        line = manifest_text("bad").splitlines().index('kind = "trigger"') + 1
        self.assertIn(f"{bad}/curupira-extension.toml:{line}:", result.stderr)
        self.assertIn("CUR-1101", result.stderr)
        self.assertNotIn("bad 1.0.0", result.stdout)

    def test_strict_exits_1_for_a_broken_manifest(self):
        self.home.plant("bad", "manifest_version = 1\n")
        self.curupira("plugins", "list").expect(0)
        result = self.curupira("plugins", "list", "--strict").expect(1)
        self.assertIn("cron\t", result.stdout)

    def test_strict_exits_0_when_all_is_well(self):
        self.home.plant("good", manifest_text("good"))
        self.curupira("plugins", "list", "--strict").expect(0)

    def test_an_unknown_launch_type_is_broken(self):
        self.home.plant("odd", manifest_text("odd", launch='type = "docker"\nimage = "x"'))
        result = self.curupira("plugins", "list").expect(0)
        self.assertIn("docker", result.stderr)
        self.assertIn("odd/curupira-extension.toml", result.stderr)

    def test_an_agent_manifest_is_passed_over_with_a_warning(self):
        self.home.plant("old", manifest_text("old", kind='"agent"', trigger_types="[]"))
        result = self.curupira("plugins", "list", "--strict").expect(0)
        self.assertIn("warning", result.stderr)
        self.assertIn("old", result.stderr)

    def test_the_search_path(self):
        elsewhere = self.home.folder / "elsewhere"
        for folder, name in (("one", "one"), ("two", "two")):
            (elsewhere / folder).mkdir(parents=True)
            (elsewhere / folder / "curupira-extension.toml").write_text(manifest_text(name, triggers=(name,)))
        itself, children = str(elsewhere / "one"), str(elsewhere)
        for path, expected in (
            (itself, ["one one 1.0.0"]),
            (children, ["one one 1.0.0", "two two 1.0.0"]),
            (f"{itself}:{elsewhere / 'two'}", ["one one 1.0.0", "two two 1.0.0"]),
            (f"{itself};{elsewhere / 'two'}", ["one one 1.0.0", "two two 1.0.0"]),
            (f"{elsewhere}/missing", []),
        ):
            with self.subTest(path):
                self.assertEqual(self.own(env={"CURUPIRA_EXTENSIONS_PATH": path}), expected)

    def test_the_home_wins_over_the_search_path(self):
        elsewhere = self.home.folder / "elsewhere"
        elsewhere.mkdir()
        (elsewhere / "curupira-extension.toml").write_text(manifest_text("same", "9.0.0", triggers=("t",)))
        self.home.plant("same", manifest_text("same", "1.0.0", triggers=("t",)))
        self.assertEqual(self.own(env={"CURUPIRA_EXTENSIONS_PATH": str(elsewhere)}), ["t same 1.0.0"])

    def test_the_current_folder_is_never_looked_into(self):
        for place in (".", "packages/x", "plugins/x", ".curupira/extensions/x"):
            folder = self.home.work / place
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "curupira-extension.toml").write_text(manifest_text("planted", triggers=("planted",)))
        self.assertEqual(self.own(), [])

    def test_broken_settings_do_not_matter(self):
        self.home.write_settings("not = [toml")
        self.rows()

    def test_json(self):
        folder = extension_folder(self.home.work, "acme", triggers=("one", "two"))
        self.curupira("plugins", "install", f"path:{folder}", "--yes").expect(0)
        self.home.plant("bad", "manifest_version = 7\n")
        document = json.loads(self.curupira("plugins", "list", "--json").expect(0).stdout)
        self.assertEqual(document["schema"], "curupira.plugins.list.v1")
        (extension,) = document["extensions"]
        self.assertEqual((extension["name"], extension["triggers"]), ("acme", ["one", "two"]))
        self.assertTrue(extension["managed"])
        self.assertEqual([agent["provider"] for agent in document["agents"]], AGENTS)
        self.assertEqual(document["broken"][0]["error"]["code"], "CUR-1103")

    def test_control_characters_of_a_manifest_do_not_reach_the_terminal(self):
        self.home.plant("evil", manifest_text("evil", version='"1.0.0\\u001b[2J"'))
        self.home.plant("evil2", manifest_text("evil2", trigger_types='["a\\u001b[31m"]'))
        result = self.curupira("plugins", "list").expect(0)
        self.assertNotIn("\x1b", result.stdout + result.stderr)


class Info(unittest.TestCase):
    def setUp(self):
        self.home = TempHome.of(self)
        self.curupira = Program(self.home)
        folder = extension_folder(self.home.work, "acme", "1.2.3")
        self.curupira("plugins", "install", f"path:{folder}", "--yes").expect(0)

    def test_text(self):
        text = self.curupira("plugins", "info", "acme").expect(0).stdout
        for words in ("acme", "1.2.3", "greetings, silence", "executable", str(self.home.extensions / "acme")):
            self.assertIn(words, text)

    def test_json(self):
        document = json.loads(self.curupira("plugins", "info", "acme", "--json").expect(0).stdout)
        self.assertEqual(document["schema"], "curupira.plugins.info.v1")
        self.assertEqual((document["name"], document["version"]), ("acme", "1.2.3"))
        self.assertEqual(document["command"][1:], ["acme", "1.2.3"])
        self.assertTrue(document["command"][0].startswith(f"{self.home.curupira}/store/"))

    def test_unknown_name_suggests_the_nearest(self):
        self.curupira("plugins", "info", "acne").expect_error("CUR-4001", "acne", "acme")


if __name__ == "__main__":
    main()
