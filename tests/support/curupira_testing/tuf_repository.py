"""A TUF repository that python-tuf writes and a server of ours serves, in memory: for our client against another
implementation, and for repositories that lie. A file that imports this is skipped where python-tuf is not.
"""

import copy
import datetime
import hashlib
import http.server
import json
import socketserver
import threading
from collections.abc import Callable
from urllib.parse import unquote

from . import skip

skip.file_needs_python_packages("tuf", "securesystemslib", "cryptography")

from cryptography.hazmat.primitives.asymmetric import rsa  # noqa: E402
from securesystemslib.formats import encode_canonical  # noqa: E402
from securesystemslib.signer import CryptoSigner  # noqa: E402
from tuf.api.metadata import (  # noqa: E402
    DelegatedRole,
    Delegations,
    Metadata,
    MetaFile,
    Root,
    Snapshot,
    SuccinctRoles,
    TargetFile,
    Targets,
    Timestamp,
)
from tuf.api.serialization.json import JSONSerializer  # noqa: E402

#: The time of the tests: the client's clock is turned to it, and nothing depends on the machine's.
NOW = datetime.datetime(2030, 1, 1, tzinfo=datetime.timezone.utc)
TOP_LEVEL = ("root", "timestamp", "snapshot", "targets")
ALL = ("root", "targets", "snapshot", "timestamp")

_KEYS = {
    "ed25519": CryptoSigner.generate_ed25519,
    "ecdsa": CryptoSigner.generate_ecdsa,
    "rsa": lambda: CryptoSigner.generate_rsa(size=2048),
    "rsa-pkcs1v15": lambda: CryptoSigner.generate_rsa(scheme="rsa-pkcs1v15-sha256", size=2048),
}


def new_signer(kind: str = "ed25519") -> CryptoSigner:
    return _KEYS[kind]()


def small_rsa_signer() -> CryptoSigner:
    """One with less than the 2048 bits that the specification demands."""
    return CryptoSigner(rsa.generate_private_key(65537, 1024))


def days(number: float) -> datetime.datetime:
    return NOW + datetime.timedelta(days=number)


class TufRepository:
    """`roles` is what the repository would publish next; `publish` signs it, as the next version, and serves it.

    `asked` is what the client asked for below metadata/, as "2.root.json"; `targets_asked` likewise. `answers` maps such
    names to bytes, or to a function that answers by itself, over what was published. Files may be replaced in `files`.
    """

    def __init__(self, *, key: str = "ed25519", consistent: bool = True) -> None:
        self.roles: dict[str, object] = {
            "root": Root(expires=days(30), consistent_snapshot=consistent),
            "timestamp": Timestamp(expires=days(30)),
            "snapshot": Snapshot(expires=days(30)),
            "targets": Targets(expires=days(30)),
        }
        self.signers: dict[str, list[CryptoSigner]] = {}
        self.files: dict[str, dict[int, bytes]] = {}  #: role → number in the file's name → file
        self.contents: dict[str, bytes] = {}  #: target path → what is served
        self.attacked = "file"  #: the target that hostile recipes are about
        self.with_hashes = False  #: snapshot and timestamp list lengths and digests
        self.asked: list[str] = []
        self.targets_asked: list[str] = []
        self.answers: dict[str, bytes | Callable[[socketserver.StreamRequestHandler], None]] = {}
        for role in TOP_LEVEL:
            self.add_key(role, new_signer(key))
        self.publish(*ALL)
        self._serve()

    @classmethod
    def of(cls, test, **options) -> "TufRepository":
        repository = cls(**options)
        test.addCleanup(repository.stop)
        return repository

    @property
    def root(self) -> Root:
        return self.roles["root"]

    @property
    def timestamp(self) -> Timestamp:
        return self.roles["timestamp"]

    @property
    def snapshot(self) -> Snapshot:
        return self.roles["snapshot"]

    @property
    def targets(self) -> Targets:
        return self.roles["targets"]

    # ---- keys

    def add_key(self, role: str, signer: CryptoSigner | None = None, *, delegator: str = "root") -> CryptoSigner:
        signer = signer or new_signer()
        self.roles[delegator].add_key(signer.public_key, role)
        self.signers.setdefault(role, []).append(signer)
        return signer

    def rotate_key(self, role: str) -> CryptoSigner:
        """All keys of a top-level role are revoked and a new one takes their place."""
        for key_id in list(self.root.roles[role].keyids):
            self.root.revoke_key(key_id, role)
        self.signers[role].clear()
        return self.add_key(role)

    # ---- publishing

    def publish(self, *roles: str, version: int | None = None) -> None:
        """Each role in this order, as its next version; `version` is written instead (the file's name stays)."""
        for role in roles:
            number = max(self.files.get(role, {0: b""})) + 1
            self.roles[role].version = version or number
            self.put(role, number, self.signed(role))

    def start_again(self, role: str) -> None:
        """Forgets what was published of the role: the next version is 1."""
        del self.files[role]

    def signed(self, role: str) -> bytes:
        metadata = Metadata(self.roles[role])
        for signer in self.signers[role]:
            metadata.sign(signer, append=True)
        return metadata.to_bytes(JSONSerializer())

    def put(self, role: str, number: int, file: bytes) -> None:
        """Serves the file as this version, and lists it where the role is listed."""
        self.files.setdefault(role, {})[number] = file
        version = self.roles[role].version
        listed = MetaFile(version)
        if self.with_hashes:
            listed = MetaFile.from_data(version, file, ["sha256"])
        if role == "snapshot":
            self.timestamp.snapshot_meta = listed
        elif role not in TOP_LEVEL or role == "targets":
            self.snapshot.meta[f"{role}.json"] = listed

    def latest(self, role: str) -> bytes:
        return self.files[role][max(self.files[role])]

    def change(self, role: str, changer: Callable[[dict], None], *, sign: bool = True) -> None:
        """Changes the latest file of the role as JSON; `changer` gets its signed part (or all of it, without `sign`)."""
        number = max(self.files[role])
        document = json.loads(self.files[role][number])
        changer(document["signed"] if sign else document)
        self.files[role][number] = sign_document(document["signed"], self.signers[role]) if sign else dump(document)

    def remember(self) -> tuple:
        """What `go_on_from` needs: whatever happens to the repository since."""
        signers = {role: list(each) for role, each in self.signers.items()}
        return copy.deepcopy((self.roles, self.files)), signers, dict(self.contents)

    def go_on_from(self, good: tuple) -> None:
        """As it was remembered; what is published next is newer than all that was published since."""
        listed = self.snapshot.meta
        (self.roles, self.files), self.signers, self.contents = good
        self.answers.clear()
        self.snapshot.meta = listed | self.snapshot.meta
        for role in ("targets", "snapshot", "timestamp"):
            self.files[role][9] = b""

    # ---- targets and delegations

    def add_target(self, path: str, content: bytes, role: str = "targets", algorithms: list[str] | None = None) -> TargetFile:
        target = TargetFile.from_data(path, content, algorithms or ["sha256"])
        self.roles[role].targets[path] = target
        self.contents[path] = content
        return target

    def served_as(self, path: str) -> str:
        """Where the target's file is below targets/."""
        digest = self.targets.targets[path].hashes["sha256"]
        folder, slash, name = path.rpartition("/")
        return f"{folder}{slash}{digest}.{name}" if self.root.consistent_snapshot else path

    def delegate(self, name: str, delegator: str = "targets", **options) -> DelegatedRole:
        """A new role of one key below `delegator` (for every path, unless `paths` or `path_hash_prefixes` say else)."""
        if "path_hash_prefixes" not in options:
            options.setdefault("paths", ["*"])
        role = DelegatedRole(name, [], 1, options.pop("terminating", False), **options)
        above = self.roles[delegator]
        if above.delegations is None:
            above.delegations = Delegations({}, roles={})
        above.delegations.roles[name] = role
        self.add_key(name, delegator=delegator)
        self.roles.setdefault(name, Targets(expires=days(30)))
        return role

    def delegate_bins(self, bit_length: int, prefix: str = "bin") -> SuccinctRoles:
        bins = SuccinctRoles([], 1, bit_length, prefix)
        self.targets.delegations = Delegations({}, None, bins)
        signer = new_signer()
        self.targets.add_key(signer.public_key)
        for name in bins.get_roles():
            self.roles[name] = Targets(expires=days(30))
            self.signers[name] = [signer]
        return bins

    # ---- the server

    def _serve(self) -> None:
        repository = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True  # else each answer waits for an acknowledgement

            def do_GET(self) -> None:
                try:
                    repository._answer(self)
                except OSError:
                    pass  # the client went away, as it should

            def log_message(self, *_: object) -> None:
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/"
        self.metadata_url = self.url + "metadata"
        self.targets_url = self.url + "targets/"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _answer(self, request: http.server.BaseHTTPRequestHandler) -> None:
        kind, _, name = request.path.lstrip("/").partition("/")
        (self.asked if kind == "metadata" else self.targets_asked).append(name)
        body = self.answers.get(name)
        if body is None:
            body = self._metadata(name) if kind == "metadata" else self._target(unquote(name))
        if callable(body):
            return body(request)
        if body is None:
            request.send_error(404)
            return None
        request.send_response(200)
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)
        return None

    def _metadata(self, name: str) -> bytes | None:
        role = name.removesuffix(".json")
        number, dot, rest = role.partition(".")
        if dot and number.isdecimal() and (self.root.consistent_snapshot or rest == "root"):
            return self.files.get(unquote(rest), {}).get(int(number))
        if self.root.consistent_snapshot and role != "timestamp":
            return None
        return self.latest(unquote(role)) if unquote(role) in self.files else None

    def _target(self, path: str) -> bytes | None:
        if not self.root.consistent_snapshot:
            return self.contents.get(path)
        folder, slash, file = path.rpartition("/")
        digest, _, name = file.partition(".")
        known = {digest for role in self.roles.values() if isinstance(role, Targets)
                 for target in role.targets.values() for digest in target.hashes.values()}
        return self.contents.get(folder + slash + name) if digest in known else None


def key_id(key: dict) -> str:
    return hashlib.sha256(encode_canonical(key).encode()).hexdigest()


def dump(document: dict) -> bytes:
    return json.dumps(document, ensure_ascii=False).encode()


def sign_document(signed: dict, signers: list[CryptoSigner]) -> bytes:
    """A metadata file of whatever `signed` is, properly signed."""
    signatures = [signer.sign(encode_canonical(signed).encode()).to_dict() for signer in signers]
    return dump({"signatures": signatures, "signed": signed})
