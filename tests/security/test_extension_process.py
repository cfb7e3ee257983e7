"""Extensions that break the protocol, die, hang or leave children: an exact error, in bounded time, and no process left."""

import os
import time
import unittest
from pathlib import Path

import curupira_testing
from curupira_testing import Program, TempHome

EXTENSION = '''#!/usr/bin/env python3
import json, os, signal, subprocess, sys, time

def frame(body): return b"%08x" % len(body) + body
def out(data): sys.stdout.buffer.write(data); sys.stdout.buffer.flush()
def read():
    header = sys.stdin.buffer.read(8)
    if len(header) < 8: sys.exit(0)
    return json.loads(sys.stdin.buffer.read(int(header, 16)))
def answer(request, result, **changes):
    out(frame(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result, **changes}).encode()))

MARK = @mark@
def vice(request): pass
@vice@

items = [[{"key": "title", "value": "T1"}]]
while True:
    request = read()
    if vice(request): continue
    method = request["method"]
    if method == "initialize": answer(request, {"protocol_version": 2, "server_info": {"name": "vice", "version": "1.0.0"}})
    elif method == "describe": answer(request, {"triggers": [{"trigger_type": "items", "prompt_fields": ["title"]}]})
    elif method == "trigger/schema": answer(request, {"schema": {"type": "object"}, "prompt_fields": ["title"]})
    elif method == "trigger/validate": answer(request, {"ok": True, "configuration": request["params"]["configuration"]})
    elif method == "trigger/poll": answer(request, {"values": items.pop() if items else None})
    else:
        answer(request, {})
        if method == "shutdown" and not globals().get("stays"): sys.exit(0)
'''

MANIFEST = """manifest_version = 1
name = "vice"
version = "1.0.0"
protocol_version = 2
runtime = "python"
kind = "trigger"
trigger_types = ["items"]

[launch]
type = "executable"
program = "./run"
"""

SETTINGS = """
[repositories.api]
remote = "https://git.example.org/acme/api.git"

[agents.defaults]
profile = "p"
[agents.profiles.p]
provider = "claude"

[plugins.vice]
type = "installed"
name = "vice"

[automations.one]
trigger_type = "vice/items"
repository = "api"
prompt = "Do ${title}"
"""


class ExtensionProcess(unittest.TestCase):
    def setUp(self) -> None:
        self.home = TempHome.of(self)
        self.program = Program(self.home)
        self.mark = f"vice-{os.getpid()}-{time.monotonic_ns()}"

    def install(self, vice: str) -> None:
        folder = self.home.work / "vice"
        folder.mkdir()
        (folder / "curupira-extension.toml").write_text(MANIFEST)
        script = folder / "run"
        script.write_text(EXTENSION.replace("@mark@", repr(self.mark)).replace("@vice@", vice))
        script.chmod(0o755)
        self.program("plugins", "install", "path:vice", "--yes").expect(0)
        self.home.write_settings(SETTINGS)

    def nobody_is_left(self) -> None:
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                words = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            self.assertNotIn(str(self.home.folder).encode(), words, "a process of the extension is left")
            self.assertNotIn(self.mark.encode(), words, "a child of the extension is left")

    def fails(self, vice: str, code: str, *words: str, seconds: float = 30, exit_code: int = 1) -> None:
        self.install(vice)
        started = time.monotonic()
        result = self.program("run", "--dry-run", timeout=180)
        result.expect_error(code, "vice 1.0.0", *words, code=exit_code)
        self.assertLess(time.monotonic() - started, seconds)
        self.nobody_is_left()

    def test_the_honest_one_works(self):
        self.install("")
        self.assertIn("Do T1", self.program("run", "--dry-run").expect(0).stdout)
        self.nobody_is_left()

    def test_a_banner_on_stdout(self):
        self.fails('out(b"Welcome to vice!\\\\n")', "CUR-5002", "Welcome", "stderr")

    def test_dies_in_mid_frame(self):
        self.fails(
            'def vice(request):\n    out(b"00000040{\\"json"); print("out of cheese", file=sys.stderr); os._exit(9)',
            "CUR-5001", "out of cheese", "initialize",
        )

    def test_announces_4_gb(self):
        self.fails('def vice(request):\n    out(b"ffffffff{}"); return True', "CUR-5003", "16")

    def test_answers_with_another_id(self):
        self.fails(
            'def vice(request):\n    answer(request, {}, id=77); return True', "CUR-5004", "77", "initialize"
        )

    def test_answers_with_another_jsonrpc(self):
        self.fails('def vice(request):\n    answer(request, {}, jsonrpc="1.0"); return True', "CUR-5004", "jsonrpc")

    def test_answers_with_result_and_error(self):
        self.fails(
            'def vice(request):\n    answer(request, {}, error={"code": 1, "message": "x"}); return True',
            "CUR-5004", "result", "error",
        )

    def test_speaks_another_version(self):
        self.fails(
            'def vice(request):\n    answer(request, {"protocol_version": 3, "server_info": {"name": "vice", "version": "1"}}); return True',
            "CUR-5005", "3", "2",
        )

    def test_answers_with_an_error(self):
        self.fails(
            'def vice(request):\n    if request["method"] != "trigger/poll": return\n'
            '    out(frame(json.dumps({"jsonrpc": "2.0", "id": request["id"], "error": {"code": -32002, "message": "rate limit"}}).encode())); return True',
            "CUR-5007", "rate limit", "-32002", "trigger/poll",
        )

    def test_a_poll_result_without_values(self):
        self.fails(
            'def vice(request):\n    if request["method"] == "trigger/poll": answer(request, {}); return True',
            "CUR-5004", "values",
        )

    def test_never_answers(self):
        # describe's budget of 10 s is the shortest that a user can see.
        self.fails(
            'def vice(request):\n    if request["method"] == "describe": return True',
            "CUR-5006", "describe", "10", seconds=60,
        )

    def test_ignores_sigterm(self):
        self.install("stays = True\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)")
        started = time.monotonic()
        self.program("run", "--dry-run").expect(0)
        self.assertLess(time.monotonic() - started, 30)
        self.nobody_is_left()

    def test_grandchildren_that_hold_the_pipe(self):
        self.install(
            'subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)", MARK], start_new_session=True)'
        )
        started = time.monotonic()
        self.program("run", "--dry-run").expect(0)
        self.assertLess(time.monotonic() - started, 30)
        self.nobody_is_left()

    def test_floods_stderr(self):
        self.install('sys.stderr.write("x" * (10 << 20)); sys.stderr.flush()')
        self.program("run", "--dry-run").expect(0)

    def test_nothing_survives_the_program_being_killed(self):
        self.install('def vice(request):\n    if request["method"] == "trigger/poll": open(MARK, "w").close(); return True')
        child = self.program.start("run", "--dry-run")
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline and not self.extension_runs():
            time.sleep(0.05)
        self.assertTrue(self.extension_runs())
        child.kill()
        child.communicate()
        while time.monotonic() < deadline and self.extension_runs():
            time.sleep(0.05)
        self.nobody_is_left()

    def extension_runs(self) -> bool:
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    words = (entry / "cmdline").read_bytes()
                except OSError:
                    continue
                if str(self.home.curupira).encode() in words and b"/trees/" in words:
                    return True
        return False


if __name__ == "__main__":
    curupira_testing.main()
