"""An npm registry of ours that signs, as real test registries cannot: with good keys, wrong keys, expired keys, lies."""

import base64
import hashlib
import http.server
import json
import struct
import subprocess
import tempfile
import threading
from dataclasses import dataclass
from urllib.parse import unquote

from . import skip
from .packages import pack
from .paths import EXTENSIONS


class SigningKey:
    """An ECDSA P-256 key as npm registries publish it; made and used by openssl."""

    def __init__(self, *, expires: str | None = None) -> None:
        self._openssl = skip.need_program("openssl")
        self.expires = expires
        made = ["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"]
        self._private = self._run(made)
        self.der = self._run(["pkey", "-pubout", "-outform", "DER"], self._private)
        # As OpenSSH names a key: the digest of its type, its curve and its point, each with its length before it.
        parts = (b"ecdsa-sha2-nistp256", b"nistp256", self.der[-65:])
        blob = b"".join(struct.pack(">I", len(part)) + part for part in parts)
        self.id = "SHA256:" + base64.b64encode(hashlib.sha256(blob).digest()).decode().rstrip("=")

    def sign(self, text: str) -> str:
        with tempfile.NamedTemporaryFile() as private:
            private.write(self._private)
            private.flush()
            return base64.b64encode(self._run(["dgst", "-sha256", "-sign", private.name], text.encode())).decode()

    def published(self) -> dict:
        return {
            "expires": self.expires,
            "keyid": self.id,
            "keytype": "ecdsa-sha2-nistp256",
            "scheme": "ecdsa-sha2-nistp256",
            "key": base64.b64encode(self.der).decode(),
        }

    def _run(self, arguments: list[str], given: bytes = b"") -> bytes:
        return subprocess.run([self._openssl, *arguments], input=given, capture_output=True, check=True).stdout


@dataclass
class Release:
    """One version of a package; a test may change anything before it is asked for."""

    dist: dict
    tarball: bytes
    package: dict
    published: str | None = "2026-01-01T00:00:00.000Z"
    signed: str = ""  #: the text that was signed


def hello_files(name: str, version: str, *, package: dict | None = None) -> dict[str, bytes]:
    """The files of an extension without dependencies, after the fixture node-hello."""
    fixture = EXTENSIONS / "node-hello"
    manifest = (fixture / "curupira-extension.toml").read_text()
    extension = name.removeprefix("@").replace("/", "-")
    manifest = manifest.replace('package = "curupira-node-hello"', f'package = "{name}"')
    manifest = manifest.replace('npm"\nname = "curupira-node-hello"', f'npm"\nname = "{name}"')
    manifest = manifest.replace('name = "curupira-node-hello"', f'name = "{extension}"', 1).replace("1.0.0", version)
    described = {"name": name, "version": version, "bin": {extension: "server.js"}, **(package or {})}
    return {
        "package.json": json.dumps(described).encode(),
        "curupira-extension.toml": manifest.encode(),
        "server.js": (fixture / "server.js").read_bytes(),
    }


class SigningRegistry:
    """`publish` adds signed packages; `keys` are what it publishes (None: it does not); `refuse` maps paths to statuses;
    `asked` is what was asked for so far."""

    def __init__(self) -> None:
        self.key = SigningKey()
        self.keys: list[SigningKey] | None = [self.key]
        self.packages: dict[str, dict[str, Release]] = {}
        self.refuse: dict[str, int] = {}
        self.asked: list[str] = []
        self.tarballs_at: str | None = None  #: another address that packuments name for tarballs
        registry = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                status, body = registry._answer(unquote(self.path), self.headers.get("Accept", ""))
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}/"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self._thread.start()

    @classmethod
    def of(cls, test) -> "SigningRegistry":
        registry = cls()
        test.addCleanup(registry.stop)
        return registry

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def publish(
        self,
        name: str,
        version: str = "1.0.0",
        *,
        files: dict[str, bytes] | None = None,
        key: SigningKey | None = None,
        signed: bool = True,
        published: str | None = "2026-01-01T00:00:00.000Z",
        **package: object,
    ) -> Release:
        """A version, signed with `key` (default: the registry's own); `package` goes into package.json."""
        files = files or hello_files(name, version, package=package)
        tarball = pack({f"package/{path}": data for path, data in files.items()}, "tar.gz")
        integrity = "sha512-" + base64.b64encode(hashlib.sha512(tarball).digest()).decode()
        release = Release({"integrity": integrity}, tarball, {**package}, published)
        if signed:
            release.signed = f"{name}@{version}:{integrity}"
            key = key or self.key
            release.dist["signatures"] = [{"keyid": key.id, "sig": key.sign(release.signed)}]
        self.packages.setdefault(name, {})[version] = release
        return release

    def change_bytes(self, name: str, version: str = "1.0.0") -> Release:
        """The version has other bytes from now on: the same files and size, another digest, signed as before."""
        release = self.packages[name][version]
        data = bytearray(release.tarball)
        data[9] ^= 1  # gzip: the system that it was made on
        release.tarball = bytes(data)
        release.dist["integrity"] = "sha512-" + base64.b64encode(hashlib.sha512(data).digest()).decode()
        release.signed = f"{name}@{version}:{release.dist['integrity']}"
        if "signatures" in release.dist:
            release.dist["signatures"] = [{"keyid": self.key.id, "sig": self.key.sign(release.signed)}]
        return release

    def _answer(self, path: str, accept: str) -> tuple[int, bytes]:
        self.asked.append(path)
        if path in self.refuse:
            return self.refuse[path], b"{}"
        if path == "/-/npm/v1/keys":
            if self.keys is None:
                return 404, b"{}"
            return 200, json.dumps({"keys": [key.published() for key in self.keys]}).encode()
        name, _, file = path.strip("/").partition("/-/")
        releases = self.packages.get(name)
        if releases is None:
            return 404, b"{}"
        if not file:
            return 200, json.dumps(self._packument(name, releases, "vnd.npm.install" in accept)).encode()
        for version, release in releases.items():
            if file == f"{name.rpartition('/')[2]}-{version}.tgz":
                return 200, release.tarball
        return 404, b"{}"

    def _packument(self, name: str, releases: dict[str, Release], abbreviated: bool) -> dict:
        versions = {}
        for version, release in releases.items():
            place = (self.tarballs_at or self.url) + f"{name}/-/{name.rpartition('/')[2]}-{version}.tgz"
            dist = {"tarball": place, **release.dist}
            versions[version] = {"name": name, "version": version, **release.package, "dist": dist}
        document = {"name": name, "dist-tags": {"latest": list(releases)[-1]}, "versions": versions}
        if not abbreviated:
            document["time"] = {version: each.published for version, each in releases.items() if each.published}
        return document
