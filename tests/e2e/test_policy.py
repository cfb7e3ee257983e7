"""`[policy]`: every rule refuses in `plugins install`, in `validate` and `run`, and in `policy test`."""

import json
import unittest

from curupira_testing import Program, TempHome, main
from curupira_testing.packages import acme_archive, extension_folder, manifest_text
from curupira_testing.paths import EXTENSIONS
from curupira_testing.repo import bare_repository
from curupira_testing.settings import installed, npx, settings_text

GREETINGS = {"trigger_type": "acme/greetings"}


class Case(unittest.TestCase):
    def setUp(self):
        self.home = TempHome.of(self)
        self.curupira = Program(self.home)
        self.remote = bare_repository(self.home.folder / "git")
        self.archive = acme_archive(self.home.work, "tar.gz")

    def policy(self, rules: str, plugin: str | None = None) -> None:
        """Settings with the policy on top: its first rule stands in line 2."""
        rest = settings_text(self.remote, {"acme": plugin or installed("acme-ext")}, {"one": GREETINGS})
        self.settings = self.home.write_settings(f"[policy]\n{rules}\n{rest}")

    def install(self, reference: object, *options: str):
        return self.curupira("plugins", "install", str(reference), "--yes", *options)

    def refused(self, code: str, *words: str, reference: object = None) -> None:
        """`plugins install` names the rule with its line, and leaves nothing."""
        self.install(reference or self.archive).expect_error(code, "settings.toml:2: ", *words)
        self.assertEqual(self.home.installed(), [])
        store = self.home.curupira / "store"
        self.assertEqual([each for each in store.rglob("*") if each.is_file()], [])


class Install(Case):
    def test_what_is_allowed(self):
        self.policy(f'allow = ["archive:{self.home.work}/*"]')
        self.install(self.archive).expect(0)

    def test_what_is_not_allowed(self):
        self.policy('allow = ["npm:@acme/*", "archive:https://downloads.example.org/*"]')
        self.refused("CUR-4501", 'allow ["npm:@acme/*", ', str(self.archive))

    def test_nothing_is_allowed(self):
        self.policy("allow = []")
        self.refused("CUR-4501", "allow []")

    def test_deny_wins(self):
        self.policy('deny = ["archive:*"]\nallow = ["*"]')
        self.refused("CUR-4501", 'deny "archive:*"')

    def test_a_package_is_refused_before_its_registry_is_asked(self):
        self.policy('deny = ["npm:@acme/*"]')
        self.refused("CUR-4501", "npm:@acme/x is denied", reference="npm:@acme/x@^1")

    def test_one_of_several_refuses_all(self):
        self.policy('deny = ["npm:x"]')
        self.curupira("plugins", "install", self.archive, "npm:x", "--yes").expect_error("CUR-4501", "npm:x")
        self.assertEqual(self.home.installed(), [])

    def test_a_relative_path_is_what_it_leads_to(self):
        extension_folder(self.home.work / "own", "mine")
        self.policy(f'allow = ["path:{self.home.work}/own/*"]')
        self.install("path:own/mine-1.0.0").expect(0)
        extension_folder(self.home.work / "other", "yours")
        self.install("path:own/../other/yours-1.0.0").expect_error("CUR-4501", "other/yours-1.0.0")

    def test_paths_of_the_policy_are_of_its_folder(self):
        extension_folder(self.home.curupira / "own", "mine")
        self.policy('allow = ["path:own/*"]')
        self.install(f"path:{self.home.curupira}/own/mine-1.0.0").expect(0)

    def test_the_package_that_a_folder_points_to(self):
        launch = 'type = "npx"\npackage = "@evil/x"'
        folder = self.home.work / "pointer"
        folder.mkdir()
        (folder / "curupira-extension.toml").write_text(manifest_text("pointer", launch=launch, runtime='"node"'))
        self.policy('allow = ["path:*"]')
        self.refused("CUR-4501", "npm:@evil/x", reference=f"path:{folder}")

    def test_the_address_of_a_program(self):
        digest = "0" * 64
        platforms = "".join(
            f'\n[launch.platforms.linux-{arch}]\nurl = "https://evil.example/x"\nsha256 = "{digest}"\n'
            for arch in ("x86_64", "aarch64")
        )
        folder = self.home.work / "pointer"
        folder.mkdir()
        text = manifest_text("pointer", launch=f'type = "binary"\n{platforms}')
        (folder / "curupira-extension.toml").write_text(text)
        self.policy('deny = ["archive:https://*.example/*"]')
        self.refused("CUR-4501", "archive:https://evil.example/x", reference=f"path:{folder}")

    def test_level(self):
        rule = '[[policy.verification]]\npackages = ["archive:*"]\nminimum_level = "registry-signed"\n'
        self.policy(rule)
        result = self.install(self.archive)
        result.expect_error("CUR-4502", "settings.toml:4: ", 'minimum_level "registry-signed"', "has digest")
        self.policy(rule.replace("registry-signed", "digest") + rule)
        self.install(self.archive).expect(0)

    def test_size(self):
        size = self.archive.stat().st_size
        self.policy(f"max_package_size = {size - 1}")
        self.refused("CUR-4503", "max_package_size")
        self.policy(f"max_package_size = {size}")
        self.install(self.archive).expect(0)

    def test_permissions(self):
        self.policy('permissions = ["filesystem"]')
        self.refused("CUR-4504", 'permissions ["filesystem"]', 'asks for "network"')
        self.policy('permissions = ["net*"]')
        self.install(self.archive).expect(0)

    def test_runtimes(self):
        self.policy('runtimes = ["node", "python"]')
        self.refused("CUR-4505", 'runtimes ["node", "python"]', '"executable"')
        self.policy('runtimes = ["executable"]')
        self.install(self.archive).expect(0)

    def test_every_rule_that_refuses_is_named(self):
        self.policy('permissions = []\nruntimes = ["python"]')
        self.refused("CUR-4504", 'settings.toml:3: runtimes ["python"]')

    def test_probe(self):
        folder = self.home.work / "silent"
        folder.mkdir()
        (folder / "package.json").write_text(json.dumps({"name": "silent", "version": "1.0.0", "bin": "cli.js"}))
        (folder / "cli.js").write_text("#!/usr/bin/env node\n")
        self.policy("allow_probe = false")
        self.refused("CUR-4507", "allow_probe = false", reference=f"path:{folder}")

    def test_a_dry_run_is_refused_too(self):
        self.policy("permissions = []")
        self.curupira("plugins", "install", self.archive, "--dry-run").expect_error("CUR-4504")

    def test_another_settings_file(self):
        self.policy("permissions = []")
        strict = self.settings.rename(self.home.work / "strict.toml")
        self.curupira("plugins", "install", self.archive, "--yes", "--config", strict).expect_error("CUR-4504", "strict.toml:2")
        self.install(self.archive).expect(0)

    def test_settings_that_cannot_be_read_stop_an_installation(self):
        self.home.write_settings("[policy\n")
        self.install(self.archive).expect_error("CUR-1202", "settings.toml:1", code=2)
        self.assertEqual(self.home.installed(), [])

    def test_a_misspelt_rule_is_an_error(self):
        for text, words in {
            "permisions = []": "permissions",
            "[polcy]\ndeny = []": "[polcy]",
        }.items():
            with self.subTest(text):
                self.policy(text)
                self.install(self.archive).expect_error("CUR-1203", words, code=2)
        self.assertEqual(self.home.installed(), [])

    def test_other_commands_do_not_care(self):
        self.install(self.archive).expect(0)
        self.home.write_settings("[policy\n")
        self.curupira("plugins", "list").expect(0)
        self.curupira("plugins", "info", "acme-ext").expect(0)
        self.curupira("plugins", "remove", "acme-ext").expect(0)


class Sync(Case):
    def setUp(self):
        super().setUp()
        self.install(self.archive).expect(0)

    def test_what_stays_as_it_is(self):
        self.policy("permissions = []")
        self.curupira("plugins", "sync").expect_error("CUR-4504", "settings.toml:2")

    def test_what_is_installed_from_the_lock(self):
        lock = (self.home.curupira / "curupira.lock").read_text()
        self.curupira("plugins", "remove", "acme-ext").expect(0)
        (self.home.curupira / "curupira.lock").write_text(lock)
        self.policy('deny = ["archive:*"]')
        self.curupira("plugins", "sync").expect_error("CUR-4501", "settings.toml:2")
        self.assertEqual(self.home.installed(), [])
        self.policy('allow = ["archive:*"]')
        self.curupira("plugins", "sync").expect(0)
        self.assertEqual(self.home.installed(), ["acme-ext"])


class Run(Case):
    """An extension that was installed before the rule."""

    def setUp(self):
        super().setUp()
        self.install(self.archive).expect(0)

    def does_not_start(self, code: str, rules: str, *words: str) -> None:
        self.policy(rules)
        for command in (("validate",), ("run", "--dry-run")):
            with self.subTest(command):
                self.curupira(*command).expect_error(code, "starting acme-ext 1.2.0", *words)

    def test_without_a_rule_against_it(self):
        self.policy('allow = ["archive:*"]\npermissions = ["network"]\nminimum_release_age = "2w"')
        self.curupira("validate").expect(0)

    def test_reference(self):
        self.does_not_start("CUR-4501", 'allow = ["npm:*"]', "settings.toml:2")

    def test_level(self):
        rule = '[[policy.verification]]\npackages = ["*"]\nminimum_level = "publisher-signed"\n'
        self.does_not_start("CUR-4502", rule, "settings.toml:4")

    def test_size(self):
        self.does_not_start("CUR-4503", "max_package_size = 1")

    def test_permissions(self):
        self.does_not_start("CUR-4504", "permissions = []", '"network"')

    def test_runtimes(self):
        self.does_not_start("CUR-4505", 'runtimes = ["python"]')

    def test_what_another_program_installed(self):
        folder = extension_folder(self.home.work / "foreign", "foreign")
        self.home.plant("foreign", (folder / "curupira-extension.toml").read_text())
        rule = '[[policy.verification]]\npackages = ["path:*"]\nminimum_level = "digest"\n'
        self.policy(rule, installed("foreign"))
        self.curupira("validate").expect_error("CUR-4502", "no verification by this program")

    def test_the_fallback_is_not_used(self):
        self.policy('deny = ["npm:left-pad"]', npx("-y", "@acme/other") + '\nfallback = "package-manager"')
        self.curupira("validate").expect_error("CUR-4508", "[plugins.acme]")


class Test(Case):
    """`policy test`."""

    def json_of(self, *arguments: object, code: int) -> list[dict]:
        result = self.curupira("policy", "test", "--json", *map(str, arguments)).expect(code)
        document = json.loads(result.stdout)
        self.assertEqual(document["schema"], "curupira.policy.test.v1")
        self.assertEqual(document["file"], str(self.settings))
        return document["references"]

    def test_without_a_policy(self):
        result = self.curupira("policy", "test", "npm:x").expect(0)
        self.assertIn("npm:x: allowed", result.stdout)
        self.assertIn("no [policy]", result.stdout)

    def test_a_policy_alone_is_enough(self):
        self.home.write_settings('[policy]\ndeny = ["npm:x"]\n')
        self.curupira("policy", "test", "npm:x").expect(1)
        self.curupira("policy", "test", "npm:y").expect(0)

    def test_the_rules_that_decide(self):
        self.policy('allow = ["npm:@acme/*", "pip:*"]\ndeny = ["npm:@acme/old"]\nmax_package_size = "1 MB"')
        allowed, denied, other = self.json_of("npm:@acme/x@^1", "npm:@acme/old", "npm:x", code=1)
        self.assertTrue(allowed["allowed"])
        self.assertEqual(
            [(rule["effect"], rule["line"]) for rule in allowed["rules"]], [("allows", 2), ("applies", 4)]
        )
        self.assertEqual((denied["allowed"], denied["error"]["code"], denied["rules"][0]["line"]), (False, "CUR-4501", 3))
        self.assertEqual((other["allowed"], other["rules"][0]["line"]), (False, 2))

    def test_resolve_evaluates_everything_and_installs_nothing(self):
        self.policy("permissions = []")
        (before,) = self.json_of(self.archive, code=0)
        self.assertEqual(before["rules"][0]["effect"], "applies")
        state = self.home.state()
        (after,) = self.json_of("--resolve", self.archive, code=1)
        self.assertEqual(after["error"]["code"], "CUR-4504")
        self.policy('permissions = ["network"]')
        (allowed,) = self.json_of("--resolve", self.archive, code=0)
        self.assertEqual((allowed["name"], allowed["version"]), ("acme-ext", "1.2.0"))
        self.assertEqual(allowed["size"], self.archive.stat().st_size)
        self.policy("permissions = []")
        self.assertEqual(self.home.state(), state)

    def test_a_failure_is_no_refusal(self):
        self.policy('deny = ["npm:x"]')
        self.curupira("policy", "test", "--resolve", "missing.zip").expect_error("CUR-9001", "missing.zip")

    def test_a_named_file_that_is_not_there(self):
        self.curupira("policy", "test", "npm:x", "--config", "other.toml").expect_error("CUR-1201", "other.toml", code=2)


if __name__ == "__main__":
    main()
