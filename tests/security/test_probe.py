"""A package without a manifest file is started once to print it: whatever it does then is refused or contained.

Each vice runs at both sandbox levels, as root and as an unprivileged user (the latter when the tests run as root;
otherwise everything runs as the user that they have).
"""

import json
import os
import shutil
import socket
import subprocess
import threading
import time
import unittest
from pathlib import Path

import curupira_testing
from curupira_testing import Program, TempHome

NOBODY = 65534
LEVELS = ("bubblewrap", "landlock")
USERS = ("root", "nobody") if os.geteuid() == 0 else ("self",)
AS_NOBODY = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")

MANIFEST = """
const manifest = (extra = "") => `manifest_version = 1
name = "vice"
version = "1.0.0"
protocol_version = 2
runtime = "node"
kind = "trigger"
trigger_types = ["items"]

[launch]
type = "npx"
package = "vice"

[capabilities]
permissions = [${JSON.stringify(extra || "none")}]
`;
const print = (text) => require("fs").writeSync(1, text);
const attempt = (f) => { try { return "got:" + f(); } catch (error) { return "refused:" + (error.code || error.name); } };
"""


class Listener:
    """A server on loopback that counts who came."""

    def __init__(self) -> None:
        self.server = socket.create_server(("127.0.0.1", 0))
        self.port = self.server.getsockname()[1]
        self.connections = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                self.server.accept()
            except OSError:
                return
            self.connections += 1

    def close(self) -> None:
        self.server.close()


class Case:
    """A home, owned by the user that the program runs as, and the program at one sandbox level."""

    def __init__(self, test: unittest.TestCase, user: str, level: str) -> None:
        self.home = TempHome.of(test)
        self.level = level
        # The checkout may be readable for its owner only: the program goes where the user can start it.
        executable = self.home.tools / "curupira"
        shutil.copy(os.environ["CURUPIRA_PROGRAM"], executable)
        self.prefix = AS_NOBODY if user == "nobody" else ()
        self.uid = NOBODY if user == "nobody" else os.geteuid()
        self.environment = {"CURUPIRA_SANDBOX": level}
        self.program = Program(self.home, executable)

    def package(self, script: str) -> Path:
        folder = self.home.work / "vice"
        folder.mkdir()
        (folder / "package.json").write_text(json.dumps({"name": "vice", "version": "1.0.0", "bin": "main.js"}))
        (folder / "main.js").write_text(MANIFEST + script)
        return folder

    def install(self, script: str, *options: str):
        self.package(script)
        for parent, folders, files in os.walk(self.home.folder):
            os.chown(parent, self.uid, -1)
            for name in files:
                os.chown(os.path.join(parent, name), self.uid, -1, follow_symlinks=False)
        return self.program(
            "plugins", "install", "path:vice", "--yes", *options,
            env=self.environment, prefix=self.prefix, timeout=90,
        )

    def permission(self) -> str:
        """What the package put into its manifest: the way in which these packages tell what they could do."""
        answer = self.program("plugins", "info", "vice", "--json", prefix=self.prefix).expect(0)
        return json.loads(answer.stdout)["permissions"][0]


def survivors(mark: str) -> list[str]:
    """Command lines of living processes that bear the mark."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                words = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            except OSError:
                continue
            if mark in words and "plugins install" not in words:
                found.append(words)
    return found


class Probe:
    """The vices; the classes below say as whom and in which sandbox."""

    user = ""
    level = ""

    def setUp(self) -> None:
        self.case = Case(self, self.user, self.level)

    def refused(self, script: str, code: str, *words: str) -> None:
        self.case.install(script).expect_error(code, *words)
        self.assertEqual(self.case.home.state(), {}, "something was left behind")

    def contained(self, script: str) -> str:
        """Installs, and returns what the package could do, as it says itself."""
        self.case.install(script).expect(0)
        return self.case.permission()

    def test_an_honest_package_is_described(self):
        result = self.case.install('print(manifest("network"));').expect(0)
        self.assertIn(self.level, result.stdout)
        self.assertEqual(self.case.permission(), "network")

    def test_prints_nothing(self):
        self.refused("", "CUR-3103")

    def test_prints_two_documents(self):
        self.refused("print(manifest() + manifest());", "CUR-3103")

    def test_prints_a_banner_first(self):
        self.refused('print("Welcome to vice 1.0!\\n" + manifest());', "CUR-3103", "Welcome")

    def test_prints_a_gigabyte(self):
        self.refused('const mb = "x".repeat(1 << 20); for (let i = 0; i < 1024; i++) print(mb);', "CUR-3104")

    def test_exits_3(self):
        self.refused('console.error("no licence"); process.exit(3);', "CUR-3102", "3", "no licence")

    def test_prints_a_manifest_of_another_name(self):
        self.refused("print(manifest().replace('name = \"vice\"', 'name = \"other\"'));", "CUR-1108", "other", "vice")

    def test_prints_a_manifest_of_another_package(self):
        self.refused(
            "print(manifest().replace('package = \"vice\"', 'package = \"other\"'));", "CUR-1108", "other", "vice"
        )

    def test_prints_a_manifest_of_another_version(self):
        self.refused("print(manifest().replace('1.0.0', '1.0.1'));", "CUR-1108", "1.0.0", "1.0.1")

    def test_forks_and_stays(self):
        mark = f"stays-{os.getpid()}-{time.monotonic_ns()}"
        self.case.install(
            'const { spawn } = require("child_process");'
            f'spawn(process.execPath, ["-e", "setInterval(() => {{}}, 1000)", "{mark}"],'
            ' { detached: true, stdio: "ignore" }).unref();'
            "print(manifest());"
        )
        self.assertEqual(survivors(mark), [])

    def test_a_child_that_holds_stdout_does_not_hold_the_program(self):
        mark = f"holds-{os.getpid()}-{time.monotonic_ns()}"
        self.case.install(
            'const { spawn } = require("child_process");'
            f'spawn(process.execPath, ["-e", "setInterval(() => {{}}, 1000)", "{mark}"],'
            ' { detached: true, stdio: "inherit" }).unref();'
            "print(manifest()); process.exit(0);"
        )
        self.assertEqual(survivors(mark), [])

    def test_opens_a_socket(self):
        listener = Listener()
        self.addCleanup(listener.close)
        said = self.contained(
            'const net = require("net"); const done = (word) => { print(manifest(word)); process.exit(0); };'
            f"try {{ const s = net.connect({listener.port}, '127.0.0.1', () => done('connected'));"
            "s.on('error', (e) => done('refused:' + e.code)); } catch (e) { done('refused:' + e.code); }"
        )
        self.assertEqual(listener.connections, 0)
        self.assertRegex(said, "^refused:")

    def test_writes_into_home(self):
        # Refused, or written into a folder that only the package sees: what counts is the real home.
        planted = self.case.home.path / "planted"
        self.contained(
            'const fs = require("fs"); attempt(() => fs.writeFileSync(process.env.HOME + "/planted", "x"));'
            f"attempt(() => fs.writeFileSync({json.dumps(str(planted))}, 'x')); print(manifest());"
        )
        self.assertFalse(planted.exists())

    def test_reads_ssh_keys(self):
        key = self.case.home.path / ".ssh" / "id_ed25519"
        key.parent.mkdir()
        key.write_text("the key")
        said = self.contained(f"print(manifest(attempt(() => require('fs').readFileSync({json.dumps(str(key))}))));")
        self.assertRegex(said, "^refused:")

    def test_reads_etc_shadow(self):
        said = self.contained("print(manifest(attempt(() => require('fs').readFileSync('/etc/shadow').length)));")
        self.assertRegex(said, "^refused:")

    def test_reads_the_environment_of_the_caller(self):
        self.case.environment["SECRET_TOKEN"] = "t0ken"
        self.assertEqual(self.contained("print(manifest(process.env.SECRET_TOKEN || 'not given'));"), "not given")

    def test_kills_a_process_of_the_host(self):
        victim = subprocess.Popen(["sleep", "300"], user=self.case.uid)
        try:
            self.contained(f"print(manifest(attempt(() => process.kill({victim.pid}, 'SIGKILL'))));")
            self.assertIsNone(victim.poll(), "the victim is dead")
        finally:
            victim.kill()
            victim.wait()


class ProbeTimeLimit:
    """Takes the 20 s of the limit: as few cases as show it at both levels and for both users."""

    user = ""
    level = ""

    def test_never_ends(self):
        case = Case(self, self.user, self.level)
        case.install("setInterval(() => {}, 1000);").expect_error("CUR-3101", "20")
        self.assertEqual(case.home.state(), {})


class NoSandbox(unittest.TestCase):
    def test_it_is_refused_with_the_way_on(self):
        case = Case(self, USERS[0], "none")
        case.install("print(manifest());").expect_error("CUR-3003", "--probe-unsandboxed")
        self.assertEqual(case.home.state(), {})

    def test_it_goes_on_when_told_to(self):
        case = Case(self, USERS[0], "none")
        case.install("print(manifest('told to'));", "--probe-unsandboxed").expect(0)
        self.assertEqual(case.permission(), "told to")


def add_classes() -> None:
    """ProbeRootBubblewrap, ProbeNobodyLandlock, …"""
    for user in USERS:
        for level in LEVELS:
            name = f"Probe{user.title()}{level.title()}"
            globals()[name] = type(name, (Probe, unittest.TestCase), {"user": user, "level": level})
    for user, level in ((USERS[0], "bubblewrap"), (USERS[-1], "landlock")):
        name = f"TimeLimit{user.title()}{level.title()}"
        globals()[name] = type(name, (ProbeTimeLimit, unittest.TestCase), {"user": user, "level": level})


add_classes()


if __name__ == "__main__":
    curupira_testing.main()
