"""`registry serve` as a process: clients that it serves, and clients that cannot stop it."""

import json
import os
import signal
import socket
import unittest

from curupira_testing import Program, TempHome, main
from curupira_testing.carrier_tool import CarrierTool
from curupira_testing.own_registry import OwnRegistry
from curupira_testing.registry_server import Answer, RegistryServer, read_all
from curupira_testing.tuf_client import client_path

TIMESTAMP = "/metadata/timestamp.json"


class Served(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.home = TempHome.of(cls)
        cls.registry = OwnRegistry(cls.home)
        cls.registry.publish("tickets", "1.0.0", "--scope", "acme")
        cls.server = RegistryServer.of(cls, cls.registry.curupira, cls.registry.folder)
        (cls.registry.folder / "archives").mkdir()
        cls.big = cls.registry.folder / "archives" / "big"
        cls.big.write_bytes(bytes(32 << 20))

    def check_that_others_are_served(self):
        answer = self.server.get(TIMESTAMP)
        self.assertEqual((answer.status, answer.body), (200, (self.registry.folder / TIMESTAMP[1:]).read_bytes()))


class SlowClients(Served):
    def test_more_of_them_than_are_taken_at_once_stop_nobody(self):
        for number in range(450):
            client = self.server.connect()
            self.addCleanup(client.close)
            client.sendall(b"GET /archives/big HTTP/1.1\r\nHost: x\r\n\r\n" if number % 2 else b"GET / HTT")
        self.check_that_others_are_served()

    def test_one_that_goes_away_in_the_middle(self):
        for _ in range(20):
            with self.server.connect() as client:
                client.sendall(b"GET /archives/big HTTP/1.1\r\nHost: x\r\n\r\n")
                client.recv(1000)
        self.check_that_others_are_served()


class Clients(Served):
    """Programs that read registries read it from here."""

    def test_the_carrier_for_web_servers(self):
        tool = CarrierTool(self.home)
        (artifact,) = (self.registry.folder / "targets" / "artifacts").iterdir()
        items = [f"targets/artifacts/{artifact.name}", "metadata/timestamp.json", "metadata/1.root.json"]
        tool.get(self.server.url, *items).expect(0)
        self.assertEqual(tool.got(), {item: (self.registry.folder / item).read_bytes() for item in items})

    def test_the_program_itself_as_a_user(self):
        home = TempHome.of(self)
        user = Program(home)
        self.registry.added_by(user, url=self.server.url)
        user("plugins", "install", "acme:@acme/tickets", "--yes").expect(0)
        self.assertTrue((home.extensions / "tickets").is_dir())

    def test_the_tuf_client(self):
        client = Program(self.home, client_path())
        kept, got = ("--metadata-dir", self.home.work / "kept"), self.home.work / "downloaded"
        client(*kept, "init", self.registry.folder / "metadata" / "1.root.json").expect(0)
        where = ("--metadata-url", self.server.url + "metadata/", "--target-base-url", self.server.url + "targets/")
        name = "packages/@acme/tickets.json"
        client(*kept, *where, "--target-name", name, "--target-dir", got, "download").expect(0)
        (file,) = (each for each in got.rglob("*") if each.is_file())
        self.assertEqual(json.loads(file.read_bytes()), self.registry.index("@acme/tickets"))


class Process(unittest.TestCase):
    def setUp(self):
        self.home = TempHome.of(self)
        self.registry = OwnRegistry(self.home)

    def serve(self, *options: str) -> RegistryServer:
        return RegistryServer.of(self, self.registry.curupira, self.registry.folder, *options)

    def test_ends_when_it_is_told_to(self):
        for how in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(how):
                server = self.serve()
                with server.connect() as idle:
                    idle.sendall(f"HEAD {TIMESTAMP} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
                    self.assertIn(b"200 OK", idle.recv(4096))
                    self.assertEqual(server.stop(how), (0, ""))
                    self.assertEqual(idle.recv(10), b"")

    def test_what_is_under_way_is_sent(self):
        (self.registry.folder / "archives").mkdir()
        (self.registry.folder / "archives" / "big").write_bytes(os.urandom(8 << 20))
        server = self.serve()
        with server.connect() as client:
            client.sendall(b"GET /archives/big HTTP/1.1\r\nHost: x\r\n\r\n")
            first = client.recv(1000)
            server.process.send_signal(signal.SIGTERM)
            answer = Answer(first + read_all(client))
        self.assertEqual(answer.body, (self.registry.folder / "archives" / "big").read_bytes())
        self.assertEqual(server.stop()[0], 0)

    def test_one_line_a_request_when_asked_for(self):
        server = self.serve("--log-level", "debug")
        server.get(TIMESTAMP)
        server.get("/%1b[2J")
        server.send(b"nonsense\r\n\r\n")
        _, errors = server.stop()
        lines = errors.splitlines()
        self.assertRegex(lines[0], rf"^127\.0\.0\.1 GET {TIMESTAMP} 200 \d+$")
        self.assertRegex(lines[1], r"^127\.0\.0\.1 GET /%1b\[2J 404 \d+$")
        self.assertRegex(lines[2], r"^127\.0\.0\.1 - - 400 \d+$")

    def test_nothing_is_said_or_changed_otherwise(self):
        before = self.registry.state()
        server = self.serve()
        server.get(TIMESTAMP)
        self.assertEqual(server.stop(), (0, ""))
        self.assertEqual(self.registry.state(), before)

    def test_says_where_it_is(self):
        server = self.serve("--json")
        said = json.loads(server.said)
        self.assertEqual((said["schema"], said["port"]), ("curupira.registry.serve.v1", server.port))

    def test_warns_when_others_can_reach_it(self):
        server = self.serve("--address", "0.0.0.0")
        self.assertIn("nothing is encrypted", server.stop()[1])

    def test_a_port_that_is_taken(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = str(taken.getsockname()[1])
            self.registry("serve", "--port", port).expect_error("CUR-4931", f"port {port}", "--port")

    def test_an_address_that_is_none(self):
        self.registry("serve", "--address", "registry.example.org").expect_error("CUR-4931", "is no IP address")

    def test_a_folder_that_is_no_registry(self):
        self.registry.curupira("registry", "serve", self.home.work).expect_error("CUR-4801", code=2)

    def test_a_folder_that_is_a_link_is_what_the_keeper_meant(self):
        link = self.home.work / "current"
        link.symlink_to(self.registry.folder)
        server = RegistryServer.of(self, self.registry.curupira, link)
        self.assertEqual(server.get(TIMESTAMP).status, 200)


if __name__ == "__main__":
    main()
