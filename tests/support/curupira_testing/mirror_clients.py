"""Real npm, npx, uv, uvx and others in a closed network: nothing but a mirror on loopback can be reached."""

import json
import subprocess
from pathlib import Path

from .home import TempHome

#: Nothing listens there.
NOWHERE = "http://127.0.0.1:9"


def closed_home(owner, mirror: str) -> TempHome:
    """A new home whose npm and uv know the mirror at this address; every other way leads nowhere."""
    home = TempHome.of(owner)
    ways = {name: NOWHERE for each in ("http_proxy", "https_proxy", "all_proxy") for name in (each, each.upper())}
    home.environment.update(
        {
            **ways,
            "no_proxy": "127.0.0.1",
            "NO_PROXY": "127.0.0.1",
            "npm_config_globalconfig": "/dev/null",
            "npm_config_update_notifier": "false",
            "UV_DEFAULT_INDEX": f"{mirror}simple/",
            "UV_PYTHON_DOWNLOADS": "never",
            "UV_HTTP_RETRIES": "0",
        }
    )
    (home.path / ".npmrc").write_text(f"registry={mirror}npm/\nfetch-retries=0\n")
    return home


def run(home: TempHome, *command: str | Path, cwd: Path | None = None, stdin: bytes = b"", code: int = 0) -> bytes:
    """What the command prints; it has to end with `code`."""
    done = subprocess.run(
        [str(word) for word in command],
        env=home.environment, cwd=cwd or home.work, input=stdin, capture_output=True, timeout=180,
    )  # fmt: skip
    if done.returncode != code:
        raise AssertionError(f"{command} ended with {done.returncode}:\n{done.stdout.decode()}\n{done.stderr.decode()}")
    return done.stdout


def describe(home: TempHome, *command: str) -> dict:
    """Starts an extension and asks over its standard streams for what it has, as hosts do."""
    client = {"protocol_version": 2, "client_info": {"name": "curupira", "version": "0"}}
    asked = [("initialize", client), ("describe", {}), ("shutdown", {})]
    frames = b""
    for number, (method, params) in enumerate(asked, start=1):
        body = json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode()
        frames += f"{len(body):08x}".encode() + body
    answers, answered = {}, run(home, *command, stdin=frames)
    while answered:
        length = int(answered[:8], 16)
        answer = json.loads(answered[8 : 8 + length])
        answers[answer["id"]], answered = answer, answered[8 + length :]
    return answers[2]["result"]
