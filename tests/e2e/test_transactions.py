"""Several references are one transaction; a command that is stopped leaves the old state; running extensions are safe."""

import signal
import subprocess
import unittest

from curupira_testing import Program, TempHome, main
from curupira_testing.lying_server import LyingServer
from curupira_testing.packages import extension_folder, scripted_extension
from curupira_testing.repo import bare_repository
from curupira_testing.services import wait_until
from curupira_testing.settings import installed, settings_text

#: `poll` says that it runs, waits until a file appears, and finds nothing. argv: name version started released
BLOCKING = """
import os, time
def poll(trigger, automation):
    open(sys.argv[3], "w").close()
    while not os.path.exists(sys.argv[4]):
        time.sleep(0.01)
    return {"values": None}
"""


class OneTransaction(unittest.TestCase):
    def setUp(self):
        self.home = TempHome.of(self)
        self.curupira = Program(self.home)

    def folder(self, name: str, **options) -> str:
        return f"path:{extension_folder(self.home.work, name, **options)}"

    def test_all_references_are_installed_together(self):
        result = self.curupira("plugins", "install", self.folder("one"), self.folder("two"), "--yes").expect(0)
        self.assertIn("+ one 1.0.0", result.stdout)
        self.assertIn("+ two 1.0.0", result.stdout)
        self.assertEqual(self.home.installed(), ["one", "two"])

    def test_one_bad_reference_and_none_is_installed(self):
        bad = self.folder("bad", kind='"agent"')
        result = self.curupira("plugins", "install", self.folder("good"), bad, "--yes")
        result.expect_error("CUR-1105", "bad", code=2)
        self.assertEqual(self.home.state(), {})

    def test_two_references_of_one_name_are_refused(self):
        first, second = self.folder("same"), self.folder("same", version="1.1.0")
        result = self.curupira("plugins", "install", first, second, "--yes")
        self.assertNotEqual(result.code, 0, result)
        self.assertIn("same", result.stderr)
        self.assertEqual(self.home.state(), {})

    def test_commands_side_by_side(self):
        """npm/cli#8224, hashicorp/terraform#31964: they wait for each other, and all succeed."""
        references = [self.folder(f"ext{number}") for number in range(4)] + [self.folder("shared")] * 2
        running = [self.curupira.start("plugins", "install", reference, "--yes") for reference in references]
        for each in running:
            out, err = each.communicate(timeout=60)
            self.assertEqual(each.returncode, 0, (out, err))
        self.assertEqual(self.home.installed(), ["ext0", "ext1", "ext2", "ext3", "shared"])


class Stopped(unittest.TestCase):
    """A command that waits for a server which sends half of a file is stopped."""

    def setUp(self):
        self.home = TempHome.of(self)
        self.curupira = Program(self.home)
        self.server = LyingServer.of(self)
        old = extension_folder(self.home.work, "acme", "1.0.0")
        self.curupira("plugins", "install", f"path:{old}", "--yes").expect(0)
        self.before = self.present()
        table = f'url = "{self.server.url("stall")}"\nsha256 = "{"0" * 64}"\nsize = {len(self.server.body)}'
        launch = f'type = "binary"\n\n[launch.platforms.linux-x86_64]\n{table}\n\n[launch.platforms.linux-aarch64]\n{table}'
        new = extension_folder(self.home.work, "acme", "2.0.0", launch=launch)
        self.command = ("plugins", "install", f"path:{new}", "--yes")

    def present(self) -> dict[str, bytes | str]:
        """The state without the record of earlier ones."""
        return {name: data for name, data in self.home.state().items() if not name.startswith("generations/")}

    def stopped_by(self, number: int) -> int:
        """Stops it while it waits; the old state stays usable, and the next command tidies up what was left."""
        child = self.curupira.start(*self.command)
        wait_until("the server was asked", lambda: bool(self.server.asked))
        child.send_signal(number)
        child.communicate(timeout=30)
        self.assertEqual(self.curupira("plugins", "list").expect(0).stdout.count("acme 1.0.0"), 2)
        other = extension_folder(self.home.work, "other")
        self.curupira("plugins", "install", f"path:{other}", "--yes").expect(0)
        self.curupira("plugins", "remove", "other").expect(0)
        self.curupira("cache", "prune", "--keep-generations", "1").expect(0)
        self.assertEqual(sorted(self.present()), sorted(self.before))
        self.assertTrue(self.present() == self.before, "the files are what they were")
        return child.returncode

    def test_killed(self):
        self.stopped_by(signal.SIGKILL)

    def test_terminated(self):
        self.assertNotEqual(self.stopped_by(signal.SIGTERM), 0)

    def test_interrupted(self):
        self.assertEqual(self.stopped_by(signal.SIGINT), 130)


class WhileItRuns(unittest.TestCase):
    def setUp(self):
        self.home = TempHome.of(self)
        self.curupira = Program(self.home)
        self.started = self.home.folder / "started"
        self.released = self.home.folder / "released"
        folder = scripted_extension(
            self.home.work, "acme", BLOCKING, args=(str(self.started), str(self.released))
        )
        self.curupira("plugins", "install", f"path:{folder}", "--yes").expect(0)
        remote = bare_repository(self.home.folder / "git")
        automations = {"one": {"trigger_type": "acme/silence"}}
        self.home.write_settings(settings_text(remote, {"acme": installed("acme")}, automations))
        self.run = self.curupira.start("run", "--dry-run")
        self.addCleanup(self.end)
        wait_until("the extension is polled", self.started.exists)

    def end(self) -> None:
        self.released.touch()
        self.run.communicate(timeout=30)

    def finish(self) -> tuple[int, str]:
        self.released.touch()
        out, err = self.run.communicate(timeout=30)
        return self.run.returncode, (out + err).decode()

    def test_removal_is_refused_with_the_pid(self):
        self.curupira("plugins", "remove", "acme").expect_error("CUR-4002", "acme", str(self.run.pid))
        self.assertEqual(self.home.installed(), ["acme"])
        self.assertEqual(self.finish()[0], 0)
        self.curupira("plugins", "remove", "acme").expect(0)

    def test_force_waits_for_its_end(self):
        removal = self.curupira.start("plugins", "remove", "acme", "--force")
        self.addCleanup(removal.kill)
        with self.assertRaises(subprocess.TimeoutExpired):
            removal.wait(timeout=0.5)
        self.assertEqual(self.home.installed(), ["acme"])
        self.assertEqual(self.finish()[0], 0)
        out, err = removal.communicate(timeout=30)
        self.assertEqual(removal.returncode, 0, (out, err))
        self.assertEqual(self.home.installed(), [])

    def test_a_replacement_leaves_the_running_one_its_files(self):
        """hashicorp/terraform#32915, oven-sh/bun#37851."""
        new = extension_folder(self.home.work, "acme", "2.0.0")
        self.curupira("plugins", "install", f"path:{new}", "--yes").expect(0)
        (command,) = [line for line in self.children() if "hello" in line]
        program = next(word for word in command.split("\0") if word.endswith("/hello"))
        with open(program, encoding="utf-8") as source:
            self.assertIn("os.path.exists", source.read())
        code, output = self.finish()
        self.assertEqual(code, 0, output)

    def children(self) -> list[str]:
        """Command lines of the extension processes of the run."""
        with open(f"/proc/{self.run.pid}/task/{self.run.pid}/children", encoding="ascii") as listed:
            pids = listed.read().split()
        lines = []
        for pid in pids:
            with open(f"/proc/{pid}/cmdline", encoding="utf-8") as line:
                lines.append(line.read())
        return lines


if __name__ == "__main__":
    main()
