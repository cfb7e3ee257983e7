"""Certificates, web servers with logins and client certificates, and a proxy that wants a password."""

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from . import skip
from .services import Service, free_port, wait_until


class Authority:
    """A certificate authority of our own, which issues certificates for servers and for people."""

    def __init__(self, folder: Path) -> None:
        self._openssl = skip.need_program("openssl")
        self._folder = folder
        self._folder.mkdir(parents=True, exist_ok=True)
        self.certificate = folder / "authority.pem"
        subject = ["-subj", "/CN=authority of curupira tests", "-addext", "basicConstraints=critical,CA:TRUE"]
        self._run("req", "-x509", *self._new_key("authority"), "-days", "2", *subject, "-out", self.certificate)

    def issue(self, name: str, extension: str = "subjectAltName=IP:127.0.0.1,DNS:localhost") -> tuple[Path, Path]:
        """Certificate and key."""
        request, certificate = self._folder / f"{name}.csr", self._folder / f"{name}.pem"
        self._run("req", *self._new_key(name), "-subj", f"/CN={name}", "-out", request)
        extensions = self._folder / f"{name}.ext"
        extensions.write_text(extension)
        signer = ["-CA", self.certificate, "-CAkey", self._folder / "authority.key", "-CAcreateserial"]
        self._run("x509", "-req", "-days", "2", "-in", request, *signer, "-extfile", extensions, "-out", certificate)
        return certificate, self._folder / f"{name}.key"

    def hashed_folder(self) -> Path:
        """As SSL_CERT_DIR wants it: named by the hash of the subject."""
        name = self._run("x509", "-hash", "-noout", "-in", self.certificate).strip()
        folder = self._folder / "hashed"
        folder.mkdir(exist_ok=True)
        shutil.copy(self.certificate, folder / f"{name}.0")
        return folder

    def _new_key(self, name: str) -> list:
        return ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", self._folder / f"{name}.key"]

    def _run(self, *arguments) -> str:
        command = [str(self._openssl), *map(str, arguments)]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def login_line(user: str, password: str) -> str:
    """A line of an htpasswd file."""
    openssl = skip.need_program("openssl")
    hashed = subprocess.run([openssl, "passwd", "-apr1", password], check=True, capture_output=True, text=True)
    return f"{user}:{hashed.stdout.strip()}\n"


@dataclass
class Asked:
    """One request that a web server got."""

    protocol: str  #: "HTTP/2.0"
    connection: str
    method: str
    path: str
    status: int
    authorization: str  #: "-" for none
    range: str
    client: str  #: subject of the client's certificate
    sent: int


class WebServer(Service):
    """nginx with the files of `files`, by http at `url` and with an authority also by https at `secure_url`.

    `login` is (user, password) that all of it wants; `client_authority` means that https clients have to show a
    certificate of it; `extra` goes into the server block.
    """

    ready_path = "/ready"

    def __init__(
        self,
        authority: Authority | None = None,
        *,
        login: tuple[str, str] | None = None,
        client_authority: Authority | None = None,
        extra: str = "",
    ) -> None:
        self._authority, self._login, self._client_authority, self._extra = authority, login, client_authority, extra
        self.secure_port = free_port()
        self.secure_url = f"https://127.0.0.1:{self.secure_port}/"
        super().__init__()

    @property
    def files(self) -> Path:
        return self.folder / "files"

    def asked(self) -> list[Asked]:
        """All requests so far but those for readiness."""
        lines = (self.folder / "access.log").read_text().splitlines()
        fields = [line.split("\t") for line in lines]
        requests = [Asked(*each[:4], int(each[4]), *each[5:8], int(each[8])) for each in fields]
        return [request for request in requests if request.path != self.ready_path]

    def _command(self) -> list[str]:
        executable = skip.need_program("nginx")
        self.files.mkdir()
        kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        temporary = "".join(f"  {kind}_temp_path {self.folder}/{kind};\n" for kind in kinds)
        user = "user root;" if os.geteuid() == 0 else ""
        server = ""
        if self._authority is not None:
            certificate, key = self._authority.issue(f"server-{self.secure_port}")
            server += f"listen 127.0.0.1:{self.secure_port} ssl http2;\n"
            server += f"ssl_certificate {certificate};\nssl_certificate_key {key};\n"
        if self._client_authority is not None:
            server += f"ssl_client_certificate {self._client_authority.certificate};\nssl_verify_client on;\n"
        if self._login is not None:
            (self.folder / "htpasswd").write_text(login_line(*self._login))
            server += f"auth_basic tests;\nauth_basic_user_file {self.folder}/htpasswd;\n"
        seen = ("server_protocol", "connection", "request_method", "request_uri", "status", "http_authorization")
        seen += ("http_range", "ssl_client_s_dn", "body_bytes_sent")
        log = "\\t".join(f"${name}" for name in seen)
        (self.folder / "nginx.conf").write_text(f"""
daemon off;
{user}
worker_processes 1;
pid {self.folder}/nginx.pid;
error_log {self.folder}/error.log;
events {{}}
http {{
{temporary}
  default_type application/octet-stream;
  types {{ text/html html; application/json json; }}
  log_format asked "{log}";
  access_log {self.folder}/access.log asked;
  server {{
    listen 127.0.0.1:{self.port};
    {server}
    root {self.files};
    location = {self.ready_path} {{ auth_basic off; return 204; }}
    {self._extra}
  }}
}}
""")
        return [str(executable), "-p", str(self.folder), "-c", str(self.folder / "nginx.conf"), "-e", "error.log"]


class Squid(Service):
    """A proxy that lets users with a password through, to everywhere."""

    USER, PASSWORD = "proxy-user", "p@ss:of/proxy"

    def tunnels(self) -> list[str]:
        """"METHOD host:port STATUS" of what it let through or refused."""
        lines = (self.folder / "access.log").read_text().splitlines()
        return [line for line in lines if "error:" not in line]

    def tunnels_since(self, before: int, *, wanted: int = 1) -> list[str]:
        """Those after the first `before`; a tunnel is written down when its end is noticed, which may be after the command
        that used it has ended: `wanted` of them are waited for, as long as a machine that is busy may need."""
        wait_until("the proxy's log", lambda: len(self.tunnels()) >= before + wanted)
        return self.tunnels()[before:]

    def address(self, user: str = USER, password: str = PASSWORD) -> str:
        """For a proxy variable."""
        from urllib.parse import quote

        return f"http://{quote(user, safe='')}:{quote(password, safe='')}@127.0.0.1:{self.port}"

    def _command(self) -> list[str]:
        executable = skip.need_program("squid")
        helper = next((each for each in Path("/usr/lib").glob("**/squid/basic_ncsa_auth")), None)
        helper = helper or Path("/usr/lib/squid/basic_ncsa_auth")
        (self.folder / "htpasswd").write_text(login_line(self.USER, self.PASSWORD))
        (self.folder / "access.log").touch()
        (self.folder / "squid.conf").write_text(f"""
http_port 127.0.0.1:{self.port}
pid_filename {self.folder}/squid.pid
logformat short %rm %ru %>Hs
access_log stdio:{self.folder}/access.log short
cache_log {self.folder}/cache.log
cache deny all
coredump_dir {self.folder}
netdb_filename none
pinger_enable off
visible_hostname localhost
shutdown_lifetime 0 seconds
auth_param basic program {helper} {self.folder}/htpasswd
auth_param basic children 1 startup=1
auth_param basic realm tests
acl users proxy_auth REQUIRED
http_access allow users
http_access deny all
""")
        if os.geteuid() == 0:  # it gives up root by itself
            for path in (self.folder, *self.folder.iterdir()):
                shutil.chown(path, "proxy", "proxy")
        return [str(executable), "-N", "-f", str(self.folder / "squid.conf")]
