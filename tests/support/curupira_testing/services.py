"""Real servers on loopback: each in a folder of its own, on a free port, stopped by its process."""

import http.client
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

from . import skip


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until(what: str, ready: Callable[[], bool], seconds: float = 30) -> None:
    """Bounded waiting for an event."""
    deadline = time.monotonic() + seconds
    while not ready():
        if time.monotonic() > deadline:
            raise AssertionError(f"{what}: not within {seconds:.0f} s")
        time.sleep(0.02)


def answers(port: int, path: str) -> bool:
    """True when an HTTP server answers below 500."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", path)
        return connection.getresponse().status < 500
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


class Service:
    """A server process with a folder, a port and a log; a subclass says what is started."""

    ready_path = "/"

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix=f"curupira-{type(self).__name__.lower()}-"))
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}/"
        self.log = self.folder / "server.log"
        self._process: subprocess.Popen | None = None
        try:
            self._start(self._command())
        except BaseException:
            self.stop()
            raise

    @classmethod
    def of(cls, owner, *arguments, **options):
        """A server that lives as long as a test, or as a test class."""
        service = cls(*arguments, **options)
        (owner.addClassCleanup if isinstance(owner, type) else owner.addCleanup)(service.stop)
        return service

    def _command(self) -> list[str]:
        raise NotImplementedError

    def _environment(self) -> dict[str, str]:
        return dict(os.environ)

    def _start(self, command: list[str]) -> None:
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(
                command, cwd=self.folder, env=self._environment(), stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )

        def ready() -> bool:
            if self._process.poll() is not None:
                raise AssertionError(f"{command[0]} ended:\n{self.log.read_text(errors='replace')}")
            return answers(self.port, self.ready_path)

        wait_until(f"{command[0]} answers on port {self.port}", ready)

    def stop(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._process = None
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


class Verdaccio(Service):
    """An npm registry. `@private/*` needs the token of `self.token`; with `uplink` all that is not ours comes from
    the registry that npm is configured for."""

    ready_path = "/-/ping"

    def __init__(self, *, uplink: bool = False) -> None:
        self._uplink = uplink
        super().__init__()
        self.token = self._add_user("tester", "secret-of-tester")

    def npmrc(self, *, token: bool = False) -> str:
        """Lines that make this the registry of all packages; `token` gives access to `@private/*` as well."""
        line = f"//127.0.0.1:{self.port}/:_authToken={self.token}\n" if token else ""
        return f"registry={self.url}\n{line}"

    def _command(self) -> list[str]:
        executable = skip.need_node_tool("verdaccio")
        proxy = "proxy: configured" if self._uplink else ""
        uplinks = f"uplinks:\n  configured:\n    url: {skip.npm_registry()}\n" if self._uplink else ""
        (self.folder / "config.yaml").write_text(f"""
storage: ./storage
auth:
  htpasswd:
    file: ./htpasswd
{uplinks}
packages:
  '@private/*':
    access: $authenticated
    publish: $authenticated
  '@acme/*':
    access: $all
    publish: $all
  'curupira-*':
    access: $all
    publish: $all
  '**':
    access: $all
    publish: $all
    {proxy}
log: {{ type: stdout, format: pretty, level: http }}
""")
        return [str(executable), "--config", "config.yaml", "--listen", f"127.0.0.1:{self.port}"]

    def _add_user(self, name: str, password: str) -> str:
        request = urllib.request.Request(
            f"{self.url}-/user/org.couchdb.user:{name}",
            data=json.dumps({"name": name, "password": password}).encode(),
            headers={"Content-Type": "application/json"},
            method="PUT",
        )
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request, timeout=30) as answer:
            return json.load(answer)["token"]


class Pypiserver(Service):
    """A Python index of the files in `packages`."""

    ready_path = "/simple/"

    @property
    def packages(self) -> Path:
        return self.folder / "packages"

    @property
    def index(self) -> str:
        return f"{self.url}simple/"

    def _command(self) -> list[str]:
        executable = skip.need_python_tool("pypi-server")
        self.packages.mkdir()
        listening = ["-i", "127.0.0.1", "-p", str(self.port), "--disable-fallback"]
        return [str(executable), "run", *listening, str(self.packages)]
