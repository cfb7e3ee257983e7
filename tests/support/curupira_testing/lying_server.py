"""An HTTP server that lies, by path. For what real servers cannot be made to do."""

import socket
import socketserver
import threading
from urllib.parse import urlsplit

_HEAD = "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nConnection: close\r\n"


class LyingServer:
    """Serves `body` at these paths, under any file name behind them (`server.url("short", "x.tar.gz")`):

    true          as it is
    status/CODE   an error with a short text
    loop          redirects to itself
    elsewhere     redirects to `self.target`
    short         announces more bytes than come
    long          announces fewer bytes than come
    stall         half of the body, then nothing until the client goes
    early         half of the body without a length announced, cut inside a chunk
    endless       announces 10 GB and sends zeros as long as the client reads
    pieces        at most `piece` bytes an answer, then breaks off; knows ranges, and `tag` is its ETag
    hang          as pieces, but falls silent instead
    whole         knows no ranges, but has the `tag`
    busy          the first time 503 with `Retry-After: 1`, then as it is
    """

    def __init__(self, body: bytes = b"x" * 1000) -> None:
        self.body = body
        self.target = ""
        self.tag = '"first"'
        self.piece = 1 << 20
        self.asked: list[str] = []  #: first lines of the requests
        self.headers: list[dict[str, str]] = []  #: headers of the requests, names in lower case
        self.sent_bytes = 0  #: of `endless`
        self._closing = threading.Event()
        server = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                try:
                    server._answer(self)
                except OSError:
                    pass  # the client went away, as it should

        class Server(socketserver.ThreadingTCPServer):
            allow_reuse_address = True
            daemon_threads = True

        self._server = Server(("127.0.0.1", 0), Handler)
        self.port = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self._thread.start()

    @classmethod
    def of(cls, test, *arguments) -> "LyingServer":
        server = cls(*arguments)
        test.addCleanup(server.stop)
        return server

    def url(self, behaviour: str, name: str = "x.tar.gz") -> str:
        return f"http://127.0.0.1:{self.port}/{behaviour}/{name}"

    def stop(self) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _answer(self, connection: socketserver.StreamRequestHandler) -> None:
        first = connection.rfile.readline().decode("latin-1").strip()
        self.asked.append(first)
        headers: dict[str, str] = {}
        while line := connection.rfile.readline().decode("latin-1").strip():
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        self.headers.append(headers)
        behaviour, *rest = urlsplit(first.split()[1]).path.strip("/").split("/")

        def send(text: str, data: bytes = b"") -> None:
            connection.wfile.write(text.encode("latin-1") + data)

        def length(number: int) -> str:
            return f"{_HEAD}Content-Length: {number}\r\n\r\n"

        half = self.body[: len(self.body) // 2]
        if behaviour in ("pieces", "hang"):
            asked = headers.get("range", "").removeprefix("bytes=").removesuffix("-")
            start = int(asked) if asked and headers.get("if-range") == self.tag else 0
            head = f"Content-Length: {len(self.body) - start}\r\nETag: {self.tag}\r\nAccept-Ranges: bytes\r\nConnection: close\r\n"
            if start:
                range_ = f"Content-Range: bytes {start}-{len(self.body) - 1}/{len(self.body)}\r\n"
                send(f"HTTP/1.1 206 Partial Content\r\n{range_}{head}\r\n", self.body[start : start + self.piece])
            else:
                send(f"HTTP/1.1 200 OK\r\n{head}\r\n", self.body[: self.piece])
            if behaviour == "hang":
                self._until_client_goes(connection)
        elif behaviour == "whole":
            send(f"HTTP/1.1 200 OK\r\nContent-Length: {len(self.body)}\r\nETag: {self.tag}\r\n\r\n", self.body)
        elif behaviour == "busy" and sum(line.split()[1] == first.split()[1] for line in self.asked) == 1:
            send("HTTP/1.1 503 Busy\r\nRetry-After: 1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        elif behaviour in ("true", "busy"):
            send(length(len(self.body)), self.body)
        elif behaviour == "status":
            text = "the server is not well"
            send(f"HTTP/1.1 {rest[0]} No\r\nContent-Length: {len(text)}\r\nConnection: close\r\n\r\n{text}")
        elif behaviour in ("loop", "elsewhere"):
            target = first.split()[1] if behaviour == "loop" else self.target
            send(f"HTTP/1.1 302 Found\r\nLocation: {target}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        elif behaviour == "short":
            send(length(len(self.body) + 100), self.body)
        elif behaviour == "long":
            send(length(len(self.body) - 100), self.body)
        elif behaviour == "stall":
            send(length(len(self.body)), half)
            self._until_client_goes(connection)
        elif behaviour == "early":
            send(f"{_HEAD}Transfer-Encoding: chunked\r\n\r\n{len(self.body):x}\r\n", half)
        elif behaviour == "endless":
            send(length(10 << 30))
            zeros = b"\0" * 65536
            while not self._closing.is_set():
                connection.wfile.write(zeros)
                self.sent_bytes += len(zeros)
        else:
            send("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")

    def _until_client_goes(self, connection: socketserver.StreamRequestHandler) -> None:
        connection.connection.settimeout(0.1)
        while not self._closing.is_set():
            try:
                if not connection.connection.recv(1):
                    return
            except socket.timeout:
                continue
