"""`curupira registry serve` as a process, and what to say to it byte for byte."""

import re
import signal
import socket
import subprocess
from pathlib import Path
from urllib.parse import urlsplit

from .program import Program


class RegistryServer:
    """Serves a folder until the test ends: `server.url` has a '/' at its end."""

    def __init__(self, program: Program, folder: Path, *options: str) -> None:
        self.process = program.start("registry", "serve", folder, *options)
        self.said = self.process.stdout.readline().decode()
        while "--json" in options and self.said and not self.said.endswith("}\n"):
            self.said += self.process.stdout.readline().decode()
        found = re.search(r"http://[^\s\"]+", self.said)
        if found is None:
            _, errors = self.process.communicate(timeout=30)
            raise AssertionError(f"the server did not start: {self.said}{errors.decode()}")
        self.url = found.group()
        self.port = urlsplit(self.url).port

    @classmethod
    def of(cls, owner, program: Program, folder: Path, *options: str) -> "RegistryServer":
        server = cls(program, folder, *options)
        (owner.addClassCleanup if isinstance(owner, type) else owner.addCleanup)(server.stop)
        return server

    def stop(self, how: int = signal.SIGTERM) -> tuple[int, str]:
        """Ends it and gives its exit code and what it said on stderr. Again: nothing new."""
        if self.process.poll() is None:
            self.process.send_signal(how)
        if self.process.stdout.closed:
            return self.process.returncode, ""
        try:
            _, errors = self.process.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.communicate()
            raise
        return self.process.returncode, errors.decode()

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=30)

    def send(self, request: bytes) -> bytes:
        """All that the server answers until it closes."""
        with self.connect() as connection:
            connection.sendall(request)
            return read_all(connection)

    def get(self, target: str, method: str = "GET", **fields: str) -> "Answer":
        """One request; `target` goes out as it is, and underscores in names of fields are hyphens."""
        lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in fields.items())
        request = f"{method} {target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{lines}\r\n"
        return Answer(self.send(request.encode()))


class Answer:
    """Status, fields (names in lower case) and body of an HTTP answer."""

    def __init__(self, data: bytes) -> None:
        head, _, self.body = data.partition(b"\r\n\r\n")
        first, *lines = head.decode().split("\r\n")
        self.status = int(first.split()[1])
        self.fields = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}


def read_all(connection: socket.socket) -> bytes:
    data = b""
    while chunk := connection.recv(65536):
        data += chunk
    return data
