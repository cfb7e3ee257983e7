"""What a bundle meets: the lock file of the home, people who are asked, a policy, full disks, and kill -9."""

import json
import os
import shutil
import signal
import subprocess
import unittest
from pathlib import Path

from curupira_testing import Program, TempHome, main, skip
from curupira_testing.bundled import HERE, OTHER, PLATFORMS, BundlingMachine, lock_head
from curupira_testing.packages import extension_folder
from curupira_testing.repo import bare_repository
from curupira_testing.settings import installed, settings_text

NAMES = ["acme-ext", "native", "one"]


def some_settings(home: TempHome) -> str:
    remote = bare_repository(home.folder / "git")
    return settings_text(remote, {"x": installed("one")}, {"task": {"trigger_type": "x/greetings"}})


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.machine = BundlingMachine(TempHome.of(cls))
        cls.bundle = cls.machine.bundle()

    def setUp(self):
        self.home = TempHome.of(self)
        self.curupira = Program(self.home)
        self.lock = self.home.curupira / "curupira.lock"

    def install(self, *options: str, bundle: Path | None = None, **more):
        return self.curupira("plugins", "bundle", "install", bundle or self.bundle, *options, **more)

    def write_lock(self, text: str) -> None:
        self.home.curupira.mkdir(exist_ok=True)
        self.lock.write_text(text)


class Consent(Case):
    def test_without_a_terminal_it_has_to_be_given(self):
        result = self.install()
        result.expect_error("CUR-1003", "--yes", code=2)
        self.assertIn("+ acme-ext 1.2.0", result.stdout)
        self.assertEqual(self.home.state(), {})

    def test_declined(self):
        result = self.curupira.on_terminal("plugins", "bundle", "install", str(self.bundle), answers=[("write the lock file?", "n\n")])
        self.assertIn("CUR-1004", result.expect(1).stdout)
        self.assertEqual(self.home.state(), {})

    def test_given_on_a_terminal(self):
        self.curupira.on_terminal("plugins", "bundle", "install", str(self.bundle), answers=[("write the lock file?", "y\n")]).expect(0)
        self.assertEqual(self.home.installed(), NAMES)

    def test_what_the_lock_file_says_already_was_agreed_to(self):
        self.write_lock(self.machine.lock.read_text())
        self.install().expect(0)
        self.assertEqual(self.home.installed(), NAMES)

    def test_a_dry_run_changes_nothing(self):
        planned = json.loads(self.install("--dry-run", "--json").expect(0).stdout)
        self.assertEqual((planned["done"], planned["lockChanged"]), (False, True))
        self.assertEqual({each["name"]: each["action"] for each in planned["plan"]}, dict.fromkeys(NAMES, "add"))
        self.assertEqual(self.home.state(), {})


class LockOfTheHome(Case):
    def test_what_else_it_has_stays(self):
        own = extension_folder(self.home.work, "own")
        self.write_lock(lock_head(PLATFORMS))
        self.curupira("plugins", "install", f"path:{own}", "--yes").expect(0)
        before = self.lock.read_text()
        self.install("--yes").expect(0)
        self.assertEqual(self.home.installed(), [*NAMES, "own"])
        self.assertIn(before[before.index("[[extension]]") :], self.lock.read_text())

    def test_for_fewer_platforms(self):
        self.write_lock(lock_head((HERE,)))
        self.install("--yes").expect(0)
        text = self.lock.read_text()
        self.assertTrue(text.startswith(lock_head((HERE,))), text)
        for platform in PLATFORMS:
            self.assertEqual(f'"hello-{platform}"' in text, platform == HERE)
        self.curupira("plugins", "verify").expect(0)
        self.curupira("plugins", "sync", "--frozen", "--offline").expect(0)

    def test_for_a_platform_that_the_bundle_lacks(self):
        home = TempHome.of(self)
        bundle = BundlingMachine(home, (HERE,)).bundle()
        self.write_lock(lock_head((HERE, OTHER)))
        before = self.home.state()
        self.install("--yes", bundle=bundle).expect_error("CUR-4108", str(self.lock), OTHER)
        self.assertEqual((self.home.state(), self.lock.read_text()), (before, lock_head((HERE, OTHER))))

    def test_that_is_damaged(self):
        for code, text in (("CUR-4103", "<<<<<<< HEAD\n"), ("CUR-4104", "lock_version = 2\n")):
            with self.subTest(code):
                self.write_lock(text)
                self.install("--yes").expect_error(code, code=2)
                self.assertEqual((self.home.installed(), self.lock.read_text()), ([], text))

    def test_another_version_is_replaced(self):
        old = extension_folder(self.home.work, "one", "0.9.0")
        self.write_lock(lock_head(PLATFORMS))
        self.curupira("plugins", "install", f"path:{old}", "--yes").expect(0)
        result = self.install("--yes").expect(0)
        self.assertIn("~ one 0.9.0 -> 1.0.0", result.stdout)
        self.assertEqual(self.lock.read_bytes(), self.machine.lock.read_bytes())
        self.curupira("plugins", "rollback").expect(0)
        self.assertEqual(self.home.installed(), ["one"])
        self.assertNotEqual(self.lock.read_bytes(), self.machine.lock.read_bytes())

    def test_beside_the_settings_in_use(self):
        project = self.home.work / "project"
        project.mkdir()
        (project / "settings.toml").write_text(some_settings(self.home))
        self.install("--yes", "--config", project / "settings.toml").expect(0)
        self.assertEqual((project / "curupira.lock").read_bytes(), self.machine.lock.read_bytes())
        self.assertFalse(self.lock.exists())


class Policy(Case):
    """It binds what comes in a bundle as what comes from a registry; how old a release is counts for choosing only."""

    def test_each_kind_refuses(self):
        settings = some_settings(self.home)
        rules = {
            "CUR-4501": 'deny = ["archive:*"]',
            "CUR-4502": '[[policy.verification]]\npackages = ["archive:*"]\nminimum_level = "registry-signed"',
            "CUR-4503": "max_package_size = 100",
            "CUR-4504": 'permissions = ["filesystem"]',
            "CUR-4505": 'runtimes = ["node", "python"]',
        }
        for code, rule in rules.items():
            with self.subTest(code):
                self.home.write_settings(f"[policy]\n{rule}\n{settings}")
                before = self.home.state()
                self.install("--yes").expect_error(code, "settings.toml:")
                self.assertEqual(self.home.state(), before)

    def test_it_binds_who_makes_one(self):
        home = TempHome.of(self)
        machine = BundlingMachine(home)
        home.write_settings(f'[policy]\ndeny = ["archive:*"]\n{some_settings(home)}')
        result = machine.curupira("plugins", "bundle", "create", "-o", "b.oci")
        result.expect_error("CUR-4501", "settings.toml:2: ")
        self.assertFalse((home.work / "b.oci").exists())


class Stopped(unittest.TestCase):
    def test_killed_at_each_step_it_is_the_old_state_or_the_new_one(self):
        """kill -9 before every rename, one after the other, until none is left."""
        strace = str(skip.need_program("strace"))
        there = TempHome.of(self)
        bundle = there.work / "small.oci"
        references = f"path:{extension_folder(there.work, 'one')}", f"path:{extension_folder(there.work, 'two')}"
        Program(there)("plugins", "install", *references, "--yes").expect(0)
        Program(there)("plugins", "bundle", "create", "-o", bundle).expect(0)
        wanted = (there.curupira / "curupira.lock").read_bytes()
        found = set()
        for call, number in ((call, number) for call in ("rename", "renameat2") for number in range(1, 100)):
            if (call, "done") in found:
                continue
            with self.subTest(call=call, number=number), TempHome() as home:
                curupira = Program(home)
                kill = ("-e", f"trace={call}", "-e", f"inject={call}:signal=KILL:when={number}")
                prefix = (strace, "-f", "-qq", "-o", os.devnull, *kill)
                result = curupira("plugins", "bundle", "install", bundle, "--yes", prefix=prefix)
                if result.code == 0:
                    found.add((call, "done"))
                    continue
                self.assertEqual(result.code, -signal.SIGKILL, result)
                curupira("cache", "prune").expect(0)  # the next command that changes something tidies up
                lock = home.curupira / "curupira.lock"
                self.assertIn((home.installed(), lock.exists()), (([], False), (["one", "two"], True)))
                self.assertEqual(list((home.curupira / "staging").iterdir()), [])
                curupira("plugins", "bundle", "install", bundle, "--yes").expect(0)
                curupira("plugins", "verify").expect(0)
                self.assertEqual(lock.read_bytes(), wanted)
                found.add("killed")
        self.assertIn("killed", found)


class Output(unittest.TestCase):
    """What `create` cannot write leaves nothing behind."""

    def setUp(self):
        self.home = TempHome.of(self)
        self.machine = BundlingMachine(self.home)
        self.out = self.home.folder / "out"
        self.out.mkdir()

    def create(self, output: Path, **options):
        return self.machine.curupira("plugins", "bundle", "create", "-o", output, **options)

    def test_no_such_folder(self):
        self.create(self.out / "nowhere" / "b.oci").expect_error("CUR-9002", "nowhere")
        self.create(self.machine.folder / "hello" / "b.oci").expect_error("CUR-9002", "hello")
        self.assertEqual(list(self.out.iterdir()), [])

    def test_in_the_place_of_what_is_no_file(self):
        (self.out / "folder").mkdir()
        os.mkfifo(self.out / "pipe")
        (self.out / "link").symlink_to("pipe")
        for name in ("folder", "pipe", "link"):
            with self.subTest(name):
                self.create(self.out / name).expect_error("CUR-9002", name, "no regular file")
        self.assertEqual(sorted(each.name for each in self.out.iterdir()), ["folder", "link", "pipe"])
        self.assertTrue((self.out / "pipe").is_fifo())

    def test_a_full_disk(self):
        command = [str(self.machine.curupira.executable), "plugins", "bundle", "create", "-o", str(self.out / "b.oci")]
        script = f'mount -t tmpfs -o size=16k none "{self.out}" || exit 77; touch "{self.out}/old"; "$@"; echo $?; ls -A "{self.out}"'
        done = subprocess.run(
            ["unshare", *([] if os.geteuid() == 0 else ["-r"]), "-m", "sh", "-c", script, "sh", *command],
            env=self.machine.curupira.environment(), cwd=self.home.work, capture_output=True, text=True,
        )  # fmt: skip
        if done.returncode == 77 or not shutil.which("unshare"):
            self.skipTest("mounting is not allowed here")
        self.assertIn("error[CUR-9002]", done.stderr)
        self.assertEqual(done.stdout, "1\nold\n")

    def test_an_earlier_bundle_stays_when_the_new_one_cannot_be_made(self):
        file = self.machine.bundle()
        before = file.read_bytes()
        shutil.rmtree(self.home.curupira / "store", onerror=lambda *_: None)
        (self.machine.folder / "hello").write_text("changed")
        self.assertNotEqual(self.create(file).code, 0)
        self.assertTrue(file.read_bytes() == before)
        self.assertEqual([each.name for each in self.home.work.iterdir() if each.name.startswith(".")], [])


if __name__ == "__main__":
    main()
