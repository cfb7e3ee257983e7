"""`validate` and `run --dry-run` with extensions that are installed."""

import hashlib
import json
import unittest

from curupira_testing import Program, TempHome, main
from curupira_testing.packages import scripted_extension
from curupira_testing.paths import EXTENSIONS
from curupira_testing.repo import bare_repository
from curupira_testing.settings import installed, npx, settings_text

GREETINGS = {"trigger_type": "hello/greetings"}


def identity(*pairs: tuple[str, str]) -> str:
    """spec/protocol.md §3.3, computed another way than the program does."""
    text = "[" + ",".join(
        f'{{"key":{json.dumps(key, ensure_ascii=False)},"value":{json.dumps(value, ensure_ascii=False)}}}'
        for key, value in pairs
    )
    return hashlib.sha256((text + "]").encode()).hexdigest()


def greeting(number: int, count: int, text: str = "Hello") -> str:
    title = f"{text} №{number}/{count}"
    return identity(("number", str(number)), ("greeting", text), ("title", title))


class Case(unittest.TestCase):
    def setUp(self):
        self.home = TempHome.of(self)
        self.curupira = Program(self.home)
        self.remote = bare_repository(self.home.folder / "git")
        self.install(f"path:{EXTENSIONS / 'binary-hello'}")

    def install(self, *references: str) -> None:
        self.curupira("plugins", "install", *references, "--yes").expect(0)

    def settings(self, automations: dict, plugins: dict | None = None, extra: str = "") -> None:
        plugins = plugins or {"hello": installed("curupira-binary-hello")}
        self.file = self.home.write_settings(settings_text(self.remote, plugins, automations, extra))

    def scripted(self, override: str) -> None:
        """Settings with one automation on an extension whose functions `override` replaces."""
        folder = scripted_extension(self.home.work, "scripted", override)
        self.install(f"path:{folder}")
        self.settings({"one": {"trigger_type": "s/greetings"}}, {"s": installed("scripted")})


class Validate(Case):
    def test_valid(self):
        self.settings({"one": GREETINGS})
        result = self.curupira("validate").expect(0)
        self.assertEqual(result.stdout, f"Configuration is valid: {self.file}\n")

    def test_config_before_and_after_the_command(self):
        self.settings({"one": GREETINGS})
        other = self.home.work / "other.toml"
        self.file.rename(other)
        for arguments in (("--config", "other.toml", "validate"), ("validate", "--config", "other.toml")):
            with self.subTest(arguments):
                self.curupira(*arguments).expect(0)

    def test_no_settings(self):
        self.curupira("validate").expect_error("CUR-1201", "settings.toml", code=2)

    def test_bad_toml_with_its_place(self):
        self.file = self.home.write_settings("[settings]\nmax_active_tasks = = 3\n")
        self.curupira("validate").expect_error("CUR-1202", "settings.toml:2:", code=2)

    def test_the_extension_refuses(self):
        self.settings({"one": {**GREETINGS, "count": "many"}})
        result = self.curupira("validate")
        result.expect_error("CUR-1205", "one", 'count must be a whole number from 0 to 1000, got "many"', code=2)

    def test_all_errors_are_reported(self):
        self.settings({"first": {**GREETINGS, "count": -1}, "fine": GREETINGS, "second": {**GREETINGS, "language": "xx"}})
        result = self.curupira("validate").expect(2)
        self.assertIn("got -1", result.stderr)
        self.assertIn('got "xx"', result.stderr)
        self.assertLess(result.stderr.index("first"), result.stderr.index("second"))

    def test_unknown_prompt_field_suggests_the_nearest(self):
        self.settings({"one": {**GREETINGS, "prompt": "Do {{ titel }}"}})
        self.curupira("validate").expect_error("CUR-5008", "titel", "title", code=2)

    def test_unknown_trigger(self):
        self.settings({"one": {"trigger_type": "hello/greeting"}})
        self.curupira("validate").expect_error("CUR-1206", "greeting", code=2)

    def test_unknown_alias(self):
        self.settings({"one": {"trigger_type": "helo/greetings"}})
        result = self.curupira("validate").expect(2)
        self.assertIn("helo", result.stderr)

    def test_not_installed(self):
        self.settings({"one": GREETINGS}, {"hello": npx("-y", "@acme/other@1.2.3")})
        self.curupira("validate").expect_error("CUR-1207", "@acme/other", "plugins install", code=2)

    def test_settings_of_the_existing_host_find_the_installed_copy(self):
        self.install(f"path:{EXTENSIONS / 'node-hello'}")
        self.settings({"one": GREETINGS}, {"hello": npx("-y", "curupira-node-hello@^1")})
        self.curupira("validate").expect(0)

    def test_json(self):
        self.settings({"one": {**GREETINGS, "count": -1}})
        document = json.loads(self.curupira("validate", "--json").expect(2).stdout)
        self.assertEqual((document["schema"], document["valid"]), ("curupira.validate.v1", False))
        self.assertEqual(document["errors"][0]["code"], "CUR-1205")

    def test_tools_filter_triggers(self):
        table = installed("curupira-binary-hello")
        self.settings({"one": GREETINGS}, {"hello": f'{table}\ntools = ["*", "!greetings"]'})
        self.curupira("validate").expect_error("CUR-1206", "greetings", code=2)


class DryRun(Case):
    def run_dry(self) -> str:
        return self.curupira("run", "--dry-run").expect(0).stdout

    def test_prints_identity_and_prompt(self):
        self.settings({"one": GREETINGS})
        self.assertEqual(
            self.run_dry(),
            f"dry-run\tone:acme/api:hello/greetings:{greeting(1, 1)}\n"
            "--- prompt ---\nDo Hello №1/1 in acme/api by one\n--- end prompt ---\n",
        )

    def test_every_item_in_the_order_of_the_file(self):
        portuguese = {**GREETINGS, "count": 3, "language": "pt"}
        self.settings({"zed": portuguese, "alpha": {**GREETINGS, "language": "ja"}})
        keys = [line.split("\t")[1] for line in self.run_dry().splitlines() if line.startswith("dry-run\t")]
        expected = [f"zed:acme/api:hello/greetings:{greeting(n, 3, 'Olá, coração')}" for n in (1, 2, 3)]
        expected.append(f"alpha:acme/api:hello/greetings:{greeting(1, 1, 'こんにちは 🐾')}")
        self.assertEqual(keys, expected)

    def test_nothing_to_do(self):
        self.settings({"one": {"trigger_type": "hello/silence"}})
        self.assertEqual(self.run_dry(), "dry-run\t(no tasks available)\n")

    def test_batch_size_bounds_a_round(self):
        self.settings({"one": {**GREETINGS, "count": 9}}, extra="[settings.polling]\nbatch_size = 4\n")
        self.assertEqual(self.run_dry().count("dry-run\t"), 4)

    def test_inserted_text_is_not_rendered_again(self):
        self.scripted(
            "def poll(trigger, automation):\n"
            "    if given.get(1): return {'values': None}\n"
            "    given[1] = 1\n"
            "    return {'values': [{'key': 'title', 'value': '${number} {{ title }} {% if %}'},"
            " {'key': 'number', 'value': '7'}]}\n"
        )
        self.assertIn("\nDo ${number} {{ title }} {% if %} in acme/api by one\n", self.run_dry())

    def test_same_output_twice(self):
        self.settings({"one": {**GREETINGS, "count": 5}})
        self.assertEqual(self.run_dry(), self.run_dry())

    def test_one_process_for_each_extension(self):
        log = self.home.folder / "starts"
        self.scripted(f"import os\nopen({str(log)!r}, 'a').write(f'{{os.getpid()}}\\n')\n")
        self.run_dry()
        self.assertEqual(len(log.read_text().splitlines()), 1)

    def test_json(self):
        self.settings({"one": GREETINGS})
        document = json.loads(self.curupira("run", "--dry-run", "--json").expect(0).stdout)
        (task,) = document["tasks"]
        self.assertEqual(task["key"], f"one:acme/api:hello/greetings:{greeting(1, 1)}")

    def test_agents_are_not_started_by_this_version(self):
        self.settings({"one": GREETINGS})
        self.curupira("run").expect_error("CUR-1002", "--dry-run", code=2)

    def test_combinations_that_are_refused(self):
        for arguments in (("--dry-run", "--watch"), ("--watch", "--size", "2"), ("--dry-run", "--size", "2")):
            with self.subTest(arguments):
                self.curupira("run", *arguments).expect_error("CUR-1001", *arguments[0:1], code=2)


class Several(Case):
    """What one extension does wrong (tests/security/test_extension_process.py) is no matter of the others."""

    def test_one_that_fails_hides_no_other(self):
        folder = scripted_extension(self.home.work, "bad", "def poll(trigger, automation):\n    sys.exit(3)\n")
        self.install(f"path:{folder}")
        self.settings(
            {"broken": {"trigger_type": "bad/greetings"}, "fine": GREETINGS},
            {"bad": installed("bad"), "hello": installed("curupira-binary-hello")},
        )
        result = self.curupira("run", "--dry-run").expect(1)
        self.assertIn("dry-run\tfine:acme/api:hello/greetings:", result.stdout)
        self.assertIn("error[CUR-5001]", result.stderr)


class Environment(Case):
    def test_extensions_get_a_clean_one(self):
        """VeriTeknik/pluggedin-app#209."""
        self.scripted(
            "import os\n"
            "def poll(trigger, automation):\n"
            "    if given.get(1): return {'values': None}\n"
            "    given[1] = 1\n"
            "    return {'values': [{'key': 'title', 'value': ' '.join(sorted(os.environ))}]}\n"
        )
        shown = self.curupira("run", "--dry-run", env={"SECRET_TOKEN": "s3cret"}).expect(0).stdout
        self.assertIn("PATH", shown)
        self.assertIn("HOME", shown)
        self.assertNotIn("SECRET_TOKEN", shown)


if __name__ == "__main__":
    main()
