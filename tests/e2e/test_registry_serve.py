"""`registry serve`: what it gives, and what it never gives."""

import json
import os
import shutil
import subprocess
import unittest

from curupira_testing import Program, TempHome, main, skip
from curupira_testing.own_registry import OwnRegistry
from curupira_testing.registry_server import Answer, RegistryServer

TIMESTAMP = "/metadata/timestamp.json"


class Served(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.home = TempHome.of(cls)
        cls.registry = OwnRegistry(cls.home)
        cls.registry.publish("tickets", "1.0.0", "--scope", "acme")
        cls.server = RegistryServer.of(cls, cls.registry.curupira, cls.registry.folder)

    def path_of(self, pattern: str) -> str:
        """The address of the only file of a form."""
        (file,) = self.registry.folder.glob(pattern)
        return "/" + str(file.relative_to(self.registry.folder))

    def bytes_of(self, path: str) -> bytes:
        return (self.registry.folder / path.lstrip("/")).read_bytes()


class Files(Served):
    def test_every_file_of_metadata_and_targets(self):
        files = [file for top in ("metadata", "targets") for file in (self.registry.folder / top).rglob("*.*") if file.is_file()]
        self.assertGreater(len(files), 10)
        for file in files:
            path = str(file.relative_to(self.registry.folder))
            with self.subTest(path):
                answer = self.server.get("/" + path)
                self.assertEqual((answer.status, answer.body), (200, file.read_bytes()))
                self.assertEqual(answer.fields["content-length"], str(len(answer.body)))

    def test_head_has_the_fields_and_no_body(self):
        answer = self.server.get(TIMESTAMP, "HEAD")
        self.assertEqual((answer.status, answer.body), (200, b""))
        self.assertEqual(answer.fields["content-length"], str(len(self.bytes_of(TIMESTAMP))))

    def test_what_may_be_kept_and_what_may_not(self):
        artifact = self.path_of("targets/artifacts/*")
        cases = {TIMESTAMP: "no-cache", "/": "no-cache", "/metadata/1.root.json": "immutable", artifact: "immutable"}
        for path, said in cases.items():
            with self.subTest(path):
                self.assertIn(said, self.server.get(path).fields["cache-control"])
        self.assertEqual(self.server.get("/metadata/2.root.json").fields["cache-control"], "no-store")

    def test_types(self):
        cases = {
            TIMESTAMP: "application/json",
            "/": "text/html; charset=utf-8",
            self.path_of("targets/artifacts/*"): "application/gzip",
        }
        for path, said in cases.items():
            with self.subTest(path):
                answer = self.server.get(path)
                self.assertEqual(answer.fields["content-type"], said)
                self.assertEqual(answer.fields["x-content-type-options"], "nosniff")

    def test_a_file_of_a_publisher_is_never_a_page(self):
        name = "0" * 64 + ".page.html"
        page = self.registry.folder / "targets" / "artifacts" / name
        page.write_text("<script>alert(1)</script>")
        self.addCleanup(page.unlink)
        answer = self.server.get(f"/targets/artifacts/{name}")
        self.assertEqual(answer.fields["content-type"], "application/octet-stream")
        self.assertIn("sandbox", answer.fields["content-security-policy"])

    def test_the_page_is_the_programs(self):
        answer = self.server.get("/")
        self.assertEqual(answer.body, (self.registry.folder / "index.html").read_bytes())
        self.assertIn("script-src 'sha256-", answer.fields["content-security-policy"])
        self.assertIn("frame-ancestors 'none'", answer.fields["content-security-policy"])
        self.assertEqual(self.server.get("/index.html").body, answer.body)

    def test_several_requests_on_one_connection_also_sent_at_once(self):
        request = f"GET {TIMESTAMP} HTTP/1.1\r\nHost: x\r\n\r\n".encode()
        last = request.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
        answers = self.server.send(request * 3 + last)
        self.assertEqual(answers.count(b"HTTP/1.1 200 OK"), 4)
        self.assertEqual(answers.count(self.bytes_of(TIMESTAMP)), 4)

    def test_an_old_client(self):
        answer = Answer(self.server.send(f"GET {TIMESTAMP} HTTP/1.0\r\n\r\n".encode()))
        self.assertEqual((answer.status, answer.fields["connection"]), (200, "close"))


class Parts(Served):
    def setUp(self):
        self.path = self.path_of("targets/artifacts/*")
        self.whole = self.bytes_of(self.path)
        self.tag = self.server.get(self.path, "HEAD").fields["etag"]

    def test_ranges(self):
        size = len(self.whole)
        for asked, first, last in (
            ("bytes=0-9", 0, 9),
            ("bytes=10-", 10, size - 1),
            ("bytes=-5", size - 5, size - 1),
            (f"bytes=-{size + 5}", 0, size - 1),
            (f"bytes=5-{size + 100}", 5, size - 1),
        ):
            with self.subTest(asked):
                answer = self.server.get(self.path, Range=asked)
                self.assertEqual((answer.status, answer.body), (206, self.whole[first : last + 1]))
                self.assertEqual(answer.fields["content-range"], f"bytes {first}-{last}/{size}")

    def test_what_is_no_single_range_is_the_whole_file(self):
        for asked in ("bytes=5-4", "bytes=a-b", "bytes=", "bytes=0-1,3-4", "lines=1-2", "bytes=-", "bytes= 0-1"):
            with self.subTest(asked):
                answer = self.server.get(self.path, Range=asked)
                self.assertEqual((answer.status, answer.body), (200, self.whole))

    def test_behind_the_end(self):
        for asked in (f"bytes={len(self.whole)}-", "bytes=-0", f"bytes={2**70}-"):
            with self.subTest(asked):
                answer = self.server.get(self.path, Range=asked)
                self.assertEqual((answer.status, answer.body), (416, b""))
                self.assertEqual(answer.fields["content-range"], f"bytes */{len(self.whole)}")

    def test_only_when_it_is_the_same_file(self):
        same = self.server.get(self.path, Range="bytes=0-3", If_Range=self.tag)
        other = self.server.get(self.path, Range="bytes=0-3", If_Range='"other"')
        date = self.server.get(self.path, Range="bytes=0-3", If_Range="Sun, 06 Nov 1994 08:49:37 GMT")
        self.assertEqual([same.status, other.status, date.status], [206, 200, 200])

    def test_not_again_what_the_client_has(self):
        for tags in (self.tag, f'"x", {self.tag}', f"W/{self.tag}", "*"):
            with self.subTest(tags):
                answer = self.server.get(self.path, If_None_Match=tags)
                self.assertEqual((answer.status, answer.body), (304, b""))
                self.assertEqual(answer.fields["etag"], self.tag)
        self.assertEqual(self.server.get(self.path, If_None_Match='"x"').status, 200)

    def test_a_new_timestamp_has_another_tag(self):
        before = self.server.get(TIMESTAMP).fields["etag"]
        self.registry("refresh").expect(0)
        answer = self.server.get(TIMESTAMP, If_None_Match=before)
        self.assertEqual(answer.status, 200)

    def test_curl_goes_on_where_it_broke_off(self):
        curl = skip.need_program("curl")
        file = self.home.work / "resumed"
        file.write_bytes(self.whole[:100])
        address = self.server.url + self.path.lstrip("/")
        subprocess.run([curl, "-sS", "--fail", "--noproxy", "*", "-C", "-", "-o", file, address], check=True, timeout=60)
        self.assertEqual(file.read_bytes(), self.whole)


class NeverServed(Served):
    """What lies in or beside the folder and is nobody's business."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = cls.registry.folder
        cls.secret = cls.home.work / "secret"
        cls.secret.write_text("secret")
        (folder / "metadata" / "link.json").symlink_to(cls.secret)
        (folder / "npm").symlink_to(cls.home.work)
        (folder / "archives").mkdir()
        (folder / "archives" / "away").symlink_to("../..")
        (folder / "archives" / ".hidden").write_text("secret")
        (folder / "other").mkdir()
        (folder / "other" / "file").write_text("secret")
        (folder / "loose.json").write_text("secret")
        os.mkfifo(folder / "archives" / "pipe")
        shutil.copytree(cls.registry.keys, folder / "keys")
        (folder / "metadata-pending" / "2.root.json").write_text("secret")

    def test_each_of_these_is_not_found(self):
        for target in (
            "/.lock", "/.lock-holder", "/.staging/", "/keys/online.pem", "/metadata-pending/2.root.json", "/other/file",
            "/loose.json", "/metadata/link.json", "/npm/secret", "/archives/away/secret", "/archives/.hidden", "/archives/pipe",
            "/../registry.keys/online.pem", "/metadata/../../secret", "/metadata/%2e%2e/%2e%2e/secret",
            "/metadata/..%2f..%2fsecret", "/metadata%2ftimestamp.json", "/metadata/%2e/timestamp.json",
            "/metadata//timestamp.json", "//metadata/timestamp.json", "/metadata/timestamp.json/", "/metadata/..\\secret",
            "/metadata/timestamp.json%00", "/metadata/%zz", "/metadata", "/targets/", "/archives/", "/METADATA/timestamp.json",
            "/" + "metadata/" * 30 + "x", "/metadata/" + "a" * 300, "/index.html/", "/archives/a%0ab",
        ):  # fmt: skip
            with self.subTest(target):
                answer = self.server.get(target)
                self.assertEqual(answer.status, 404)
                self.assertNotIn(b"secret", answer.body)

    def test_also_by_the_form_of_proxies(self):
        for target in (f"http://x{TIMESTAMP}", f"HTTP://other.example.org{TIMESTAMP}?a=b"):
            with self.subTest(target):
                self.assertEqual(self.server.get(target).status, 200)
        self.assertEqual(self.server.get("http://x/../secret").status, 404)


class Folders(unittest.TestCase):
    """What a mirror has beside the signed metadata: a static npm registry and an index of Python packages."""

    @classmethod
    def setUpClass(cls):
        cls.home = TempHome.of(cls)
        cls.folder = cls.home.work / "mirror"
        for path in ("npm/x", "npm/@acme/x", "simple/x"):
            (cls.folder / path).mkdir(parents=True)
            (cls.folder / path / "index.json").write_text(json.dumps({"of": path}))
        (cls.folder / "simple" / "x" / "index.html").write_text("<!doctype html>")
        cls.server = RegistryServer.of(cls, Program(cls.home), cls.folder)

    def test_a_package_as_npm_asks_for_it(self):
        for target in ("/npm/x", "/npm/@acme%2fx", "/npm/@acme%2Fx", "/npm/@acme/x", "/npm/x?write=true"):
            with self.subTest(target):
                answer = self.server.get(target)
                self.assertEqual((answer.status, answer.fields["content-type"]), (200, "application/json"))

    def test_no_other_escaped_slash(self):
        for target in ("/npm%2fx", "/npm/@acme%2f..%2fx", "/npm/@acme%2f%2fx", "/simple/@acme%2fx", "/npm/acme%2fx", "/npm/@acme%2f"):
            with self.subTest(target):
                self.assertEqual(self.server.get(target).status, 404)

    def test_an_index_of_python_packages(self):
        page = self.server.get("/simple/x/")
        self.assertEqual((page.status, page.fields["content-type"]), (200, "text/html; charset=utf-8"))
        self.assertNotIn("script-src", page.fields["content-security-policy"])
        accepted = "application/vnd.pypi.simple.v1+json"
        answer = self.server.get("/simple/x/", Accept=accepted)
        self.assertEqual((answer.fields["content-type"], json.loads(answer.body)), (accepted, {"of": "simple/x"}))
        self.assertEqual(answer.fields["vary"], "Accept")

    def test_links_in_it_count_from_its_folder(self):
        answer = self.server.get("/simple/x")
        self.assertEqual((answer.status, answer.fields["location"]), (301, "/simple/x/"))


class Requests(Served):
    """A server that reads a request in another way than the proxy before it is how requests are smuggled."""

    def status_of(self, request: bytes) -> int:
        return Answer(self.server.send(request)).status

    def test_refused_and_the_connection_ends(self):
        host = b"Host: x\r\n"
        for status, request in (
            (400, b"GET / HTTP/1.1\r\n\r\n"),
            (400, b"GET / HTTP/1.1\r\n" + host * 2 + b"\r\n"),
            (400, b"GET  / HTTP/1.1\r\n" + host + b"\r\n"),
            (400, b"GET / HTTP/1.1 \r\n" + host + b"\r\n"),
            (400, b"GET /a b HTTP/1.1\r\n" + host + b"\r\n"),
            (400, b"GET metadata HTTP/1.1\r\n" + host + b"\r\n"),
            (400, b"GET /\xc3\xa9 HTTP/1.1\r\n" + host + b"\r\n"),
            (400, b"GET / HTTP/1.1\r\n" + host + b" folded: x\r\n\r\n"),
            (400, b"GET / HTTP/1.1\r\nHost : x\r\n\r\n"),
            (400, b"GET / HTTP/1.1\r\n" + host + b"a: b\x00c\r\n\r\n"),
            (400, b"GET / HTTP/1.1\r\n" + host + b"a: b\nc: d\r\n\r\n"),
            (400, b"GET / HTTP/1.1\r\n" + host + b"Content-Length: -1\r\n\r\n"),
            (400, b"\x16\x03\x01\x02\x00\x01\r\n\r\n"),
            (405, b"POST / HTTP/1.1\r\n" + host + b"Content-Length: 3\r\n\r\nabc"),
            (405, b"DELETE /metadata/timestamp.json HTTP/1.1\r\n" + host + b"\r\n"),
            (413, b"GET / HTTP/1.1\r\n" + host + b"Content-Length: 3\r\n\r\nabc"),
            (414, b"GET /" + b"a" * 3000 + b" HTTP/1.1\r\n" + host + b"\r\n"),
            (431, b"GET / HTTP/1.1\r\n" + host + b"a: " + b"b" * 9000 + b"\r\n\r\n"),
            (431, b"GET / HTTP/1.1\r\n" + host + b"a: b\r\n" * 80 + b"\r\n"),
            (431, b"x" * 20_000),
            (501, b"GET / HTTP/1.1\r\n" + host + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
            (505, b"GET / HTTP/2.0\r\n" + host + b"\r\n"),
        ):
            with self.subTest(request[:60]):
                self.assertEqual(self.status_of(request), status)

    def test_what_follows_a_refused_request_is_not_read_as_one(self):
        smuggled = f"GET {TIMESTAMP} HTTP/1.1\r\nHost: x\r\n\r\n".encode()
        answers = self.server.send(b"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(smuggled) + smuggled)
        self.assertEqual(answers.count(b"HTTP/1.1"), 1)


if __name__ == "__main__":
    main()
