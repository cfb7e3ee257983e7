"""`doctor` says what does not work on this machine, and what to do."""

import json
import os
import shutil
import unittest
from pathlib import Path

from curupira_testing import Program, TempHome, main, skip
from curupira_testing.lying_server import LyingServer
from curupira_testing.paths import EXTENSIONS
from curupira_testing.settings import installed, npx, settings_text

#: nobody, on every distribution
NOBODY = 65534


class Case(unittest.TestCase):
    def setUp(self):
        self.home = TempHome.of(self)
        self.curupira = Program(self.home)
        # No test of this file leaves the machine: both ecosystems are configured for a server of ours.
        self.server = LyingServer.of(self, b"{}")
        (self.home.path / ".npmrc").write_text(f"registry={self.server.url('true', '')}\n")
        self.home.environment["UV_DEFAULT_INDEX"] = self.server.url("true", "simple/")

    def doctor(self, *arguments: str, code: int | None = None, **options) -> list[dict]:
        result = self.curupira("doctor", *arguments, "--json", **options)
        document = json.loads(result.stdout)
        self.assertEqual(document["schema"], "curupira.doctor.v1")
        self.assertEqual(document["healthy"], result.code == 0, str(result))
        if code is not None:
            result.expect(code)
        for finding in document["findings"]:
            if finding["level"] in ("problem", "warning"):
                self.assertTrue(finding.get("help"), f"nobody knows what to do: {finding}")
        return document["findings"]

    def about(self, findings: list[dict], area: str, subject: str) -> list[dict]:
        found = [each for each in findings if (each["area"], each["subject"]) == (area, subject)]
        self.assertTrue(found, f"nothing about {area} {subject} in {json.dumps(findings, indent=1)}")
        return found

    def path_without(self, *programs: str) -> str:
        """PATH with the machine's programs but these."""
        folder = self.home.folder / "programs"
        folder.mkdir()
        for part in self.home.environment["PATH"].split(":"):
            for file in sorted(Path(part).iterdir()) if Path(part).is_dir() else []:
                if file.name not in programs and not (folder / file.name).exists() and os.access(file, os.X_OK):
                    (folder / file.name).symlink_to(file)
        return str(folder)


class Machine(Case):
    def test_a_machine_that_is_well(self):
        self.curupira("plugins", "install", f"path:{EXTENSIONS / 'binary-hello'}", "--yes").expect(0)
        findings = self.doctor(code=0)
        self.assertEqual({each["area"] for each in findings},
                         {"network", "sandbox", "file-system", "store", "tools", "extensions", "settings"})
        self.assertEqual(self.about(findings, "file-system", "home")[0]["level"], "ok")
        self.assertIn("1 extension can start", self.about(findings, "extensions", "installed")[0]["what"])

    def test_it_changes_nothing(self):
        self.curupira("plugins", "install", f"path:{EXTENSIONS / 'binary-hello'}", "--yes").expect(0)
        before = self.home.state()
        self.doctor()
        self.assertEqual(self.home.state(), before)

    def test_text_is_plain_in_a_pipe_and_coloured_on_a_terminal(self):
        result = self.curupira("doctor").expect(0)
        self.assertNotIn("\x1b", result.stdout)
        self.assertRegex(result.stdout, r"(?m)^tools$")
        self.assertRegex(result.stdout, r"(?m)^  ok +node  ")
        self.assertRegex(result.stdout, r"no problem(, \d+ warnings?)?\n$")
        self.assertIn("\x1b[", self.curupira.on_terminal("doctor").expect(0).stdout)

    def test_node_is_missing_and_an_extension_needs_it(self):
        self.curupira("plugins", "install", f"path:{EXTENSIONS / 'node-hello'}", "--yes").expect(0)
        findings = self.doctor(code=1, env={"PATH": self.path_without("node")})
        node = self.about(findings, "tools", "node")[0]
        self.assertEqual(node["level"], "problem")
        self.assertIn("curupira-node-hello", node["what"])
        self.assertIn("PATH", node["help"])
        self.assertEqual(self.about(findings, "extensions", "curupira-node-hello")[0]["level"], "problem")

    def test_node_is_missing_and_nothing_needs_it(self):
        findings = self.doctor(code=0, env={"PATH": self.path_without("node")})
        self.assertEqual(self.about(findings, "tools", "node")[0]["level"], "note")

    def test_an_old_tool(self):
        old = self.home.tools / "npm"
        old.write_text("#!/bin/sh\necho 6.14.18\n")
        old.chmod(0o755)
        npm = self.about(self.doctor(code=0), "tools", "npm")[0]
        self.assertEqual(npm["level"], "warning")
        self.assertIn("7 or later", npm["what"])

    def test_a_tool_that_hangs_is_not_waited_for_long(self):
        slow = self.home.tools / "git"
        slow.write_text("#!/bin/sh\nexec sleep 600\n")
        slow.chmod(0o755)
        result = self.curupira("doctor", "--json").expect(0)
        git = self.about(json.loads(result.stdout)["findings"], "tools", "git")[0]
        self.assertEqual(git["level"], "warning")
        self.assertIn("did not end", git["what"])
        self.assertLess(result.seconds, 60)

    def test_without_a_sandbox(self):
        findings = self.doctor(code=0, env={"CURUPIRA_SANDBOX": "none"})
        level = self.about(findings, "sandbox", "level")[0]
        self.assertEqual(level["level"], "warning")
        self.assertIn("--probe-unsandboxed", level["help"])
        reasons = self.about(findings, "sandbox", "not there")
        self.assertEqual(len(reasons), 2)
        self.assertIn("unset CURUPIRA_SANDBOX", reasons[0]["help"])

    def test_a_broken_manifest(self):
        self.home.plant("odd", 'manifest_version = 1\nname = = "odd"\n')
        broken = self.about(self.doctor(code=1), "extensions", "odd")[0]
        self.assertIn("curupira-extension.toml:2:", broken["what"])

    def test_what_a_receipt_names_is_gone(self):
        self.curupira("plugins", "install", f"path:{EXTENSIONS / 'binary-hello'}", "--yes").expect(0)
        trees = self.home.curupira / "store" / "v1" / "trees"
        for mark in trees.glob("*.listing"):
            mark.unlink()
        lost = self.about(self.doctor(code=1), "store", "curupira-binary-hello")[0]
        self.assertIn("curupira plugins verify --repair curupira-binary-hello", lost["help"])
        self.curupira("plugins", "verify", "--repair", "curupira-binary-hello").expect(0)
        self.doctor(code=0)

    def test_a_home_that_cannot_be_written(self):
        self.curupira("plugins", "install", f"path:{EXTENSIONS / 'binary-hello'}", "--yes").expect(0)
        prefix: tuple[str, ...] = ()
        if os.geteuid() == 0:  # whom modes do not stop
            setpriv = str(skip.need_program("setpriv"))
            prefix = (setpriv, f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")
        for folder in (self.home.folder, self.home.path, self.home.work, self.home.curupira):
            folder.chmod(0o555)
        findings = self.doctor(code=1, prefix=prefix)
        home = self.about(findings, "file-system", "home")[-1]
        self.assertEqual(home["level"], "problem")
        self.assertIn("Permission denied", home["what"])
        self.assertIn("CURUPIRA_HOME", home["help"])


class Settings(Case):
    def test_broken(self):
        self.home.write_settings("[settings]\nmax_active_tasks = = 3\n")
        file = self.about(self.doctor(code=1), "settings", "file")[0]
        self.assertEqual(file["level"], "problem")
        self.assertIn("settings.toml:2:", file["what"])

    def test_a_plugin_that_is_not_installed(self):
        automations = {"one": {"trigger_type": "acme/items"}}
        plugins = {"acme": npx("-y", "@acme/curupira-ext@^1.2")}
        self.home.write_settings(settings_text(self.home.work, plugins, automations))
        plugin = self.about(self.doctor(code=1), "settings", "[plugins.acme]")[0]
        self.assertIn("curupira plugins install 'npm:@acme/curupira-ext@^1.2'", plugin["help"])

    def test_what_the_policy_refuses_now(self):
        self.curupira("plugins", "install", f"path:{EXTENSIONS / 'binary-hello'}", "--yes").expect(0)
        for plugins, level, code in (
            ({"hello": installed("curupira-binary-hello")}, "problem", 1),
            ({"hello": installed("another")}, "warning", 1),
        ):
            with self.subTest(level):
                rest = settings_text(self.home.work, plugins, {"one": {"trigger_type": "hello/greetings"}})
                self.home.write_settings(f'[policy]\nruntimes = ["node"]\n{rest}')
                refused = self.about(self.doctor(code=code), "settings", "curupira-binary-hello")[0]
                self.assertEqual(refused["level"], level)
                self.assertIn('settings.toml:2: runtimes ["node"]', refused["what"])
                self.assertIn("the rule that is named", refused["help"])

    def test_the_agent_of_a_profile(self):
        self.curupira("plugins", "install", f"path:{EXTENSIONS / 'binary-hello'}", "--yes").expect(0)
        automations = {"one": {"trigger_type": "hello/greetings"}}
        plugins = {"hello": installed("curupira-binary-hello")}
        self.home.write_settings(settings_text(self.home.work, plugins, automations))
        without = self.path_without("opencode")
        profile = self.about(self.doctor(code=1, env={"PATH": without}), "settings", "[agents.profiles.oc]")[0]
        self.assertIn("opencode", profile["what"])
        agent = self.home.tools / "opencode"
        agent.write_text("#!/bin/sh\necho 1.2.3\n")
        agent.chmod(0o755)
        findings = self.doctor(code=0)
        self.assertIn("1.2.3", self.about(findings, "tools", "opencode")[0]["what"])

    def test_a_file_that_was_named_and_is_not_there(self):
        result = self.curupira("doctor", "--config", "other.toml", "--json").expect(1)
        file = self.about(json.loads(result.stdout)["findings"], "settings", "file")[0]
        self.assertIn("other.toml", file["what"])


class Network(Case):
    def test_the_configured_servers_are_looked_at(self):
        findings = self.doctor("network", code=0)
        self.assertEqual({each["area"] for each in findings}, {"network"})
        registry = self.about(findings, "network", self.server.url("true", ""))
        self.assertIn(f"registry in {self.home.path}/.npmrc", registry[0]["what"])
        self.assertTrue(registry[-1]["what"].startswith("reachable"))
        self.about(findings, "network", self.server.url("true", "simple/"))

    def test_the_entry_of_no_proxy_that_matched(self):
        # The proxy does not exist: whoever went through it would see nothing.
        env = {"http_proxy": "http://user:s3cret@127.0.0.1:9/", "no_proxy": "localhost,127.0.0.0/8"}
        result = self.curupira("doctor", "network", env=env).expect(0)
        self.assertIn('no_proxy has "127.0.0.0/8"', result.stdout)
        self.assertNotIn("s3cret", result.stdout)

    def test_a_proxy_that_does_not_answer(self):
        env = {"http_proxy": "http://user:s3cret@127.0.0.1:9/"}
        result = self.curupira("doctor", "network", "http://registry.example.org/x", env=env).expect(1)
        self.assertIn("through the proxy http://127.0.0.1:9 (http_proxy)", result.stdout)
        self.assertIn("add registry.example.org to no_proxy", result.stdout)
        self.assertNotIn("s3cret", result.stdout)

    def test_an_address_that_does_not_answer(self):
        outcome = self.doctor("network", "http://127.0.0.1:9/", code=1)[-1]
        self.assertEqual((outcome["level"], outcome["subject"]), ("problem", "http://127.0.0.1:9/"))
        self.assertIn("could not be reached", outcome["what"])

    def test_a_server_that_is_not_well(self):
        outcome = self.doctor("network", self.server.url("status/503"), code=1)[-1]
        self.assertIn("503", outcome["what"])

    def test_what_is_no_address(self):
        outcome = self.doctor("network", "not an address", code=1)[0]
        self.assertEqual(outcome["level"], "problem")

    def test_a_default_that_nobody_named_need_not_answer(self):
        if shutil.which("npm") is None:
            self.skipTest("npm is not here to say its default")
        (self.home.path / ".npmrc").unlink()
        env = {"https_proxy": "http://127.0.0.1:9/", "http_proxy": "http://127.0.0.1:9/", "no_proxy": "127.0.0.1"}
        named = [each for each in self.doctor(code=0, env=env) if "npm, as its default" in each["what"]]
        self.assertEqual(len(named), 1)
        self.doctor("network", code=1, env=env)


if __name__ == "__main__":
    main()
