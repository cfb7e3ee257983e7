"""A real OCI registry with logins, and the programs of others that read it."""

import base64
import hashlib
import http.server
import json
import subprocess
import threading
import time
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from . import skip
from .network import Authority
from .services import Service


class DockerRegistry(Service):
    """Debian's docker-registry. `login`: (user, password) that all of it wants; `tokens`: the server that gives tokens
    for it instead."""

    ready_path = "/"

    def __init__(self, *, login: tuple[str, str] | None = None, tokens: "TokenServer | None" = None) -> None:
        self._login, self._tokens = login, tokens
        super().__init__()

    @property
    def authority(self) -> str:
        return f"127.0.0.1:{self.port}"

    def address(self, path: str = "team/plugins") -> str:
        return f"oci://{self.authority}/{path}"

    def blob_file(self, hex_digest: str) -> Path:
        """Where the registry keeps a blob."""
        blobs = self.folder / "data" / "docker" / "registry" / "v2" / "blobs" / "sha256"
        return blobs / hex_digest[:2] / hex_digest / "data"

    def _command(self) -> list[str]:
        executable = skip.need_program("docker-registry")
        auth = ""
        if self._login is not None:
            htpasswd = skip.need_program("htpasswd")
            user, password = self._login
            line = subprocess.run([htpasswd, "-nbB", user, password], check=True, capture_output=True, text=True).stdout
            (self.folder / "htpasswd").write_text(line)
            auth = f"auth: {{htpasswd: {{realm: tests, path: {self.folder}/htpasswd}}}}"
        if self._tokens is not None:
            auth = f"auth: {{token: {self._tokens.configuration()}}}"
        (self.folder / "config.yml").write_text(f"""
version: 0.1
log: {{accesslog: {{disabled: false}}}}
storage: {{filesystem: {{rootdirectory: {self.folder}/data}}, delete: {{enabled: true}}}}
http: {{addr: "127.0.0.1:{self.port}"}}
{auth}
""")
        return [str(executable), "serve", str(self.folder / "config.yml")]


class TokenServer:
    """Gives tokens to those who know the login, as the token specification of the distribution project says."""

    SERVICE, ISSUER = "tests registry", "tests"

    def __init__(self, folder: Path, login: tuple[str, str]) -> None:
        self.asked: list[tuple[str, str]] = []  #: scope, and Authorization or "-"
        self.login = login
        self._openssl = skip.need_program("openssl")
        self._authority = Authority(folder)
        self._certificate, self._key = self._authority.issue("token-signer")
        self._work = folder
        server = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                query = parse_qs(urlsplit(self.path).query)
                scope = query.get("scope", [""])[0]
                authorization = self.headers.get("Authorization", "-")
                server.asked.append((scope, authorization))
                good = "Basic " + base64.b64encode(":".join(server.login).encode()).decode()
                body = json.dumps({"token": server.token(scope)}).encode() if authorization == good else b"{}"
                self.send_response(200 if authorization == good else 401)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_) -> None:
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/token"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self._thread.start()

    @classmethod
    def of(cls, owner, *arguments) -> "TokenServer":
        server = cls(*arguments)
        (owner.addClassCleanup if isinstance(owner, type) else owner.addCleanup)(server.stop)
        return server

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def configuration(self) -> str:
        settings = {"realm": self.url, "service": self.SERVICE, "issuer": self.ISSUER}
        return json.dumps({**settings, "rootcertbundle": str(self._authority.certificate)})

    def token(self, scope: str) -> str:
        """A JSON web token, signed by a key whose certificate is in it."""
        kind, name, actions = scope.split(":") if scope else ("", "", "")
        chain = base64.b64encode(self._der()).decode()
        now = int(time.time())
        access = [{"type": kind, "name": name, "actions": actions.split(",")}] if scope else []
        claims = {"iss": self.ISSUER, "aud": self.SERVICE, "sub": self.login[0], "jti": "1", "access": access}
        claims |= {"exp": now + 300, "nbf": now - 10, "iat": now}
        parts = [{"typ": "JWT", "alg": "ES256", "x5c": [chain]}, claims]
        text = ".".join(_base64url(json.dumps(part).encode()) for part in parts)
        return f"{text}.{_base64url(self._sign(text.encode()))}"

    def _der(self) -> bytes:
        command = [self._openssl, "x509", "-in", self._certificate, "-outform", "DER"]
        return subprocess.run(command, check=True, capture_output=True).stdout

    def _sign(self, data: bytes) -> bytes:
        """As JSON wants it: r and s, 32 bytes each, out of openssl's ASN.1."""
        command = [self._openssl, "dgst", "-sha256", "-sign", self._key]
        der = subprocess.run(command, check=True, capture_output=True, input=data).stdout
        numbers, at = [], 2
        for _ in range(2):
            length = der[at + 1]
            numbers.append(int.from_bytes(der[at + 2 : at + 2 + length], "big").to_bytes(32, "big"))
            at += 2 + length
        return b"".join(numbers)


def _base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def docker_config(folder: Path, authority: str, login: tuple[str, str]) -> Path:
    """Writes config.json as `docker login` does; gives the folder, for DOCKER_CONFIG."""
    folder.mkdir(exist_ok=True)
    auth = base64.b64encode(":".join(login).encode()).decode()
    (folder / "config.json").write_text(json.dumps({"auths": {authority: {"auth": auth}}}))
    return folder


def hex_digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
