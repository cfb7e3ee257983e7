"""Servers at names of example.org with https, for pages of docs/ that are run with the addresses that they show.

The names exist nowhere: the proxy of `environment` knows them and leads to a server on loopback, whose certificate is of
an authority that `environment` names as well.
"""

import os
import socket
import socketserver
import threading
from pathlib import Path

from . import skip
from .network import Authority
from .services import Service, free_port


class ExampleOrg(Service):
    """`behind` maps names to what answers at `https://<name>.example.org/`: the URL of a server, or a folder of files."""

    ready_path = "/ready"

    def __init__(self, **behind: str | Path) -> None:
        self._behind = behind
        self._secure_port = free_port()
        super().__init__()
        self._proxy = _NameProxy(self._secure_port)

    @property
    def environment(self) -> dict[str, str]:
        """What a program's environment needs, to get there and nowhere else, whatever the machine's npmrc and pip.conf say."""
        authority = str(self._authority.certificate)
        trusted = {"SSL_CERT_FILE": authority, "NODE_EXTRA_CA_CERTS": authority, "PIP_CERT": authority}
        return {"HTTPS_PROXY": self._proxy.url, "npm_config_globalconfig": os.devnull, **trusted}

    @property
    def elsewhere(self) -> list[str]:
        """host:port of everything else that the proxy was asked for, and refused."""
        return self._proxy.refused

    def stop(self) -> None:
        if hasattr(self, "_proxy"):
            self._proxy.stop()
        super().stop()

    def _command(self) -> list[str]:
        executable = skip.need_program("nginx")
        self._authority = Authority(self.folder / "authority")
        certificate, key = self._authority.issue("example-org", "subjectAltName=DNS:*.example.org")
        kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        temporary = "".join(f"  {kind}_temp_path {self.folder}/{kind};\n" for kind in kinds)
        user = "user root;" if os.geteuid() == 0 else ""
        servers = "".join(f"""
  server {{
    listen 127.0.0.1:{self._secure_port} ssl;
    server_name {name}.example.org;
    ssl_certificate {certificate};
    ssl_certificate_key {key};
    {_content(where)}
  }}""" for name, where in self._behind.items())  # fmt: skip
        (self.folder / "nginx.conf").write_text(f"""
daemon off;
{user}
worker_processes 1;
pid {self.folder}/nginx.pid;
error_log {self.folder}/error.log;
events {{}}
http {{
{temporary}
  access_log off;
  server {{
    listen 127.0.0.1:{self.port};
    location = {self.ready_path} {{ return 204; }}
  }}{servers}
}}
""")
        return [str(executable), "-p", str(self.folder), "-c", str(self.folder / "nginx.conf"), "-e", "error.log"]


def _content(where: str | Path) -> str:
    if isinstance(where, Path):
        return f"root {where};"
    forwarded = "proxy_set_header Host $host; proxy_set_header X-Forwarded-Proto https; client_max_body_size 10m;"
    return f"location / {{ proxy_pass {where}; {forwarded} }}"


class _NameProxy:
    """Takes CONNECT to port 443 of names below example.org to one port on loopback, and refuses everything else."""

    def __init__(self, port: int) -> None:
        self.refused: list[str] = []
        proxy = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                method, target, *_ = (self.rfile.readline(4096).decode("latin-1").split() + ["", ""])
                while self.rfile.readline(4096).strip():
                    pass
                if method != "CONNECT" or not target.endswith(".example.org:443"):
                    proxy.refused.append(target)
                    self.wfile.write(b"HTTP/1.1 502 not a name of this network\r\nContent-Length: 0\r\n\r\n")
                    return
                with socket.create_connection(("127.0.0.1", port)) as server:
                    self.wfile.write(b"HTTP/1.1 200 Connected\r\n\r\n")
                    back = threading.Thread(target=_pump, args=(server, self.connection), daemon=True)
                    back.start()
                    _pump(self.connection, server)
                    back.join()

        class Server(socketserver.ThreadingTCPServer):
            allow_reuse_address = daemon_threads = True

        self._server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def _pump(source: socket.socket, sink: socket.socket) -> None:
    """Until one of the two has enough; then the sink learns that nothing more comes."""
    try:
        while data := source.recv(65536):
            sink.sendall(data)
        sink.shutdown(socket.SHUT_WR)
    except OSError:
        pass
