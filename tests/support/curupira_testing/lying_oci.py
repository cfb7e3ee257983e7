"""An OCI registry in memory that tells the truth until a test makes it lie. It also knows the referrers API, which Debian's
registry does not."""

import base64
import hashlib
import http.server
import json
import re
import threading
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit


class LyingOci:
    """Everything is of one repository, `team/plugins`. What a test may change:

    login            (user, password): asks for them with a Basic challenge
    challenge        the value of WWW-Authenticate instead
    realm_answers    what /token answers: status and body
    blobs            by hexadecimal digest; change the bytes of one
    manifests        (media type, bytes) by tag and by "sha256:<hex>"
    storage          blobs are redirected below this address
    upload_location  where uploads go on
    headers          of every answer
    hang             requests whose path has this text get no answer
    referrers        answers the referrers API, this many a page; 0: 404
    """

    def __init__(self) -> None:
        self.login: tuple[str, str] | None = None
        self.challenge = ""
        self.realm_answers: tuple[int, bytes] = (200, b'{"token":"the-token"}')
        self.blobs: dict[str, bytes] = {}
        self.manifests: dict[str, tuple[str, bytes]] = {}
        self.storage = ""
        self.upload_location = ""
        self.headers: dict[str, str] = {}
        self.hang = ""
        self.referrers = 0
        self.asked: list[tuple[str, str, str]] = []  #: method, path with query, Authorization or "-"
        self.before_answer: Callable[[str, str], None] = lambda method, path: None
        self._begun: dict[str, bytes] = {}
        self._closing = threading.Event()
        registry = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def _handle(self) -> None:
                registry._answer(self)

            do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = _handle

            def log_message(self, *_) -> None:
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.authority = f"127.0.0.1:{self._server.server_address[1]}"
        self.url = f"http://{self.authority}"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self._thread.start()

    @classmethod
    def of(cls, owner) -> "LyingOci":
        registry = cls()
        (owner.addClassCleanup if isinstance(owner, type) else owner.addCleanup)(registry.stop)
        return registry

    def address(self) -> str:
        return f"oci://{self.authority}/team/plugins"

    def stop(self) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def paths(self, method: str = "") -> list[str]:
        return [path for asked, path, _ in self.asked if method in ("", asked)]

    def _answer(self, request: http.server.BaseHTTPRequestHandler) -> None:
        length = int(request.headers.get("Content-Length", 0))
        body = request.rfile.read(length)
        authorization = request.headers.get("Authorization", "-")
        self.asked.append((request.command, request.path, authorization))
        self.before_answer(request.command, request.path)
        if self.hang and self.hang in request.path:
            self._closing.wait(60)
            return
        address = urlsplit(request.path)
        if address.path == "/token":
            self._send(request, *self.realm_answers)
            return
        if not self._knows(authorization):
            challenge = self.challenge or 'Basic realm="tests"'
            self._send(request, 401, b'{"errors":[{"code":"UNAUTHORIZED"}]}', {"WWW-Authenticate": challenge})
            return
        match = re.fullmatch(r"/v2/team/plugins/(blobs/uploads|blobs|manifests|referrers)/(.*)", address.path)
        answer = getattr(self, "_" + match[1].replace("blobs/", "")) if match else None
        if answer is None:
            self._send(request, 404)
            return
        answer(request, match[2], {name: value[0] for name, value in parse_qs(address.query).items()}, body)

    def _knows(self, authorization: str) -> bool:
        if self.challenge.startswith("Bearer"):
            return authorization == "Bearer the-token"
        if self.login is None:
            return not self.challenge
        return authorization == "Basic " + base64.b64encode(":".join(self.login).encode()).decode()

    def _send(self, request, status: int, body: bytes = b"", headers: dict[str, str] = {}) -> None:
        request.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers, **self.headers}.items():
            request.send_header(name, value)
        request.end_headers()
        if request.command != "HEAD":
            request.wfile.write(body)

    def _blobs(self, request, name: str, _query, _body) -> None:
        data = self.blobs.get(name.removeprefix("sha256:"))
        if data is None:
            self._send(request, 404)
        elif self.storage and request.command == "GET":
            self._send(request, 307, b"", {"Location": f"{self.storage}{name}"})
        else:
            self._send(request, 200, data, {"Docker-Content-Digest": name})

    def _uploads(self, request, name: str, query: dict[str, str], body: bytes) -> None:
        """Sessions are named by numbers; `digest` ends one."""
        if request.command == "POST":
            name = str(len(self._begun))
            self._begun[name] = b""
        self._begun[name] += body
        if request.command == "PUT":
            data = self._begun[name]
            good = query["digest"] == "sha256:" + hashlib.sha256(data).hexdigest()
            if good:
                self.blobs[query["digest"].removeprefix("sha256:")] = data
            self._send(request, 201 if good else 400)
        else:
            location = self.upload_location or f"/v2/team/plugins/blobs/uploads/{name}?_state=a%2Bb"
            self._send(request, 202, b"", {"Location": location})

    def _manifests(self, request, name: str, _query, body: bytes) -> None:
        if request.command == "PUT":
            digest = "sha256:" + hashlib.sha256(body).hexdigest()
            self.manifests[name] = self.manifests[digest] = (request.headers["Content-Type"], body)
            self._send(request, 201, b"", {"Docker-Content-Digest": digest, "Location": request.path})
        elif name in self.manifests:
            media_type, data = self.manifests[name]
            digest = "sha256:" + hashlib.sha256(data).hexdigest()
            self._send(request, 200, data, {"Content-Type": media_type, "Docker-Content-Digest": digest})
        else:
            self._send(request, 404)

    def _referrers(self, request, name: str, query, _body) -> None:
        if not self.referrers:
            self._send(request, 404)
            return
        entries = []
        for tag, (media_type, data) in sorted(self.manifests.items()):
            manifest = json.loads(data)
            if tag.startswith("sha256:") and manifest.get("subject", {}).get("digest") == name:
                entry = {"mediaType": media_type, "digest": tag, "size": len(data)}
                entry |= {"artifactType": manifest["artifactType"], "annotations": manifest.get("annotations", {})}
                entries.append(entry)
        start = int(query.get("start", 0))
        end = start + self.referrers
        index_type = "application/vnd.oci.image.index.v1+json"
        index = {"schemaVersion": 2, "mediaType": index_type, "manifests": entries[start:end]}
        path = urlsplit(request.path).path
        more = {"Link": f'<{path}?start={end}>; rel="next"'} if end < len(entries) else {}
        self._send(request, 200, json.dumps(index).encode(), {"Content-Type": index_type, **more})
