"""Extensions that break the protocol, die, hang or leave children: an exact error, in bounded time, and no process left."""

import os
import time
import unittest

from curupira_testing import Program, TempHome, main
from curupira_testing.packages import extension_folder
from curupira_testing.processes import processes_with
from curupira_testing.services import wait_until
from curupira_testing.settings import installed, settings_text

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

class ExtensionProcess(unittest.TestCase):
    def setUp(self) -> None:
        self.home = TempHome.of(self)
        self.program = Program(self.home)
        self.mark = f"vice-{os.getpid()}-{time.monotonic_ns()}"

    def install(self, vice: str) -> None:
        folder = extension_folder(self.home.work, "vice", triggers=("items",))
        (folder / "hello").write_text(EXTENSION.replace("@mark@", repr(self.mark)).replace("@vice@", vice))
        self.program("plugins", "install", f"path:{folder}", "--yes").expect(0)
        tasks = {"one": {"trigger_type": "vice/items", "prompt": "Do ${title}"}}
        remote = "https://git.example.org/acme/api.git"
        self.home.write_settings(settings_text(remote, {"vice": installed("vice")}, tasks))

    def nobody_is_left(self) -> None:
        self.assertEqual(processes_with(str(self.home.folder)), [], "a process of the extension is left")
        self.assertEqual(processes_with(self.mark), [], "a child of the extension is left")

    def fails(self, vice: str, code: str, *words: str, seconds: float = 30) -> None:
        self.install(vice)
        result = self.program("run", "--dry-run", timeout=180)
        result.expect_error(code, "vice 1.0.0", *words)
        self.assertLess(result.seconds, seconds)
        self.nobody_is_left()

    def test_the_honest_one_works(self):
        self.install("")
        self.assertIn("Do T1", self.program("run", "--dry-run").expect(0).stdout)
        self.nobody_is_left()

    def test_a_banner_on_stdout(self):
        """microsoft/azure-devops-mcp#147, sbroenne/mcp-server-excel#636."""
        self.fails('out(b"Welcome to vice!\\\\n")', "CUR-5002", "Welcome", "stderr")

    def test_dies_in_a_poll(self):
        self.fails(
            'def vice(request):\n    if request["method"] == "trigger/poll": sys.exit("token expired")',
            "CUR-5001", "token expired", "trigger/poll",
        )

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

    def test_a_poll_result_with_a_key_twice(self):
        self.fails(
            'def vice(request):\n    if request["method"] == "trigger/poll": answer(request, {"values": items[0] * 2}); return True',
            "CUR-5004", "title",
        )

    def test_never_answers(self):
        # describe's budget of 10 s is the shortest that a user can see.
        self.fails(
            'def vice(request):\n    if request["method"] == "describe": return True',
            "CUR-5006", "describe", "10", seconds=60,
        )

    def ends_in_time(self, vice: str) -> None:
        self.install(vice)
        self.assertLess(self.program("run", "--dry-run").expect(0).seconds, 30)
        self.nobody_is_left()

    def test_ignores_sigterm(self):
        self.ends_in_time("stays = True\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)")

    def test_grandchildren_that_hold_the_pipe(self):
        """mozilla-ai/mcpd#310, hashicorp/go-plugin#10."""
        self.ends_in_time(
            'subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)", MARK], start_new_session=True)'
        )

    def test_floods_stderr(self):
        """mark3labs/mcp-go#956."""
        self.ends_in_time('sys.stderr.write("x" * (10 << 20)); sys.stderr.flush()')

    def test_nothing_survives_the_program_being_killed(self):
        """anthropics/claude-code#27707, NousResearch/hermes-agent#50169."""
        self.install('def vice(request):\n    return request["method"] == "trigger/poll"')
        child = self.program.start("run", "--dry-run")
        trees = str(self.home.curupira / "store" / "v1" / "trees")
        wait_until("the extension runs", lambda: bool(processes_with(trees)))
        child.kill()
        child.communicate()
        wait_until("the extension ends", lambda: not processes_with(trees))
        self.nobody_is_left()


if __name__ == "__main__":
    main()
