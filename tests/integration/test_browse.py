"""The browse page of a registry, in Chromium: what it shows, to whom it can be shown, and what cannot harm it."""

import json
import unittest
from urllib.parse import urlsplit

from curupira_testing import TempHome, main
from curupira_testing.browser import Browser
from curupira_testing.network import WebServer
from curupira_testing.own_registry import OwnRegistry, StaticServer
from curupira_testing.registry_server import RegistryServer
from curupira_testing.unsigned_registry import write_unsigned_registry

READY = "!document.body.hasAttribute('aria-busy')"
ON_PACKAGE = "document.activeElement.tagName === 'H1'"
PERMISSIONS = '\n[capabilities]\npermissions = ["network", "env:TRACKER_TOKEN"]\n'

#: Contrast of every text against what lies behind it, as WCAG 2.2 counts it; the texts below 4.5 : 1.
LOW_CONTRAST = """(() => {
  const colour = (text) => text.match(/[0-9.]+/g).map(Number);
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const behind = (node) => {
    for (; node; node = node.parentElement) {
      const found = colour(getComputedStyle(node).backgroundColor);
      if (found[3] !== 0) return found;
    }
    return [255, 255, 255];
  };
  const low = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim() || !node.checkVisibility() || ["SCRIPT", "STYLE"].includes(node.tagName)) continue;
    const [a, b] = [light(colour(getComputedStyle(node).color)), light(behind(node))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) low.push(`${texts.currentNode.data.trim()}: ${ratio.toFixed(2)}`);
  }
  return low;
})()"""


def filled_registry(home: TempHome) -> OwnRegistry:
    registry = OwnRegistry(home)
    registry.publish("tickets", "1.0.0", "--scope", "acme", "--summary", "Issues of a tracker")
    newer = registry.extension("tickets", "1.1.0")
    manifest = newer / "curupira-extension.toml"
    manifest.write_text(manifest.read_text() + PERMISSIONS)
    registry("publish", newer, "--scope", "acme").expect(0)
    registry.publish("mails", "0.9.0", "--summary", "Mails that wait for an answer")
    registry("yank", "@acme/tickets", "1.0.0", "--reason", "loses tickets <b>often</b>").expect(0)
    registry("refresh").expect(0)
    registry.publish("late", "1.0.0", "--summary", "Published after the index was made")
    return registry


class Browsing(unittest.TestCase):
    """`visit` opens an address below `self.url`; whatever a test did, the page asked nobody else and had no error."""

    width, scheme = 1100, "light"

    @classmethod
    def setUpClass(cls):
        cls.home = TempHome.of(cls)
        cls.browser = Browser.of(cls, cls.home)
        cls.url = cls.serve()

    @classmethod
    def serve(cls) -> str:
        cls.registry = filled_registry(cls.home)
        return RegistryServer.of(cls, cls.registry.curupira, cls.registry.folder).url

    def setUp(self):
        self.browser.fresh(width=self.width, scheme=self.scheme)
        self.addCleanup(self.check_nothing_else_happened)

    def check_nothing_else_happened(self):
        self.assertEqual(self.browser.problems(), [])
        origins = {urlsplit(url)[:2] for url in self.browser.requests() if not url.startswith(("data:", "about:"))}
        self.assertEqual(origins, {urlsplit(self.url)[:2]})

    def visit(self, fragment: str = "") -> None:
        self.browser.open(self.url + fragment)
        self.browser.wait(READY)

    def text(self, selector: str = "main") -> str:
        return self.browser.evaluate(f"document.querySelector({json.dumps(selector)}).innerText")

    def listed(self) -> list[str]:
        return self.browser.evaluate("[...document.querySelectorAll('#packages a')].map((each) => each.textContent)")


class AsServed(Browsing):
    """By `registry serve`."""

    def test_all_packages_also_those_that_the_index_lacks(self):
        self.visit()
        self.assertEqual(self.listed(), ["@acme/tickets", "late", "mails"])
        self.assertIn("3 packages", self.browser.tree())
        self.assertIn("Published after the index was made", self.text())

    def test_search(self):
        self.visit()
        self.browser.click("searchbox", "Search packages")
        self.browser.type("WAIT mail")
        self.assertEqual(self.listed(), ["mails"])
        self.assertIn("status: 1 package found", self.browser.tree())
        self.assertTrue(self.browser.evaluate("location.hash").endswith("#/search/WAIT%20mail"))
        self.browser.type(" nowhere")
        self.assertEqual(self.listed(), [])
        self.assertIn("No package has all of these words", self.text())

    def test_a_search_and_a_package_have_addresses(self):
        self.visit("#/search/tracker")
        self.assertEqual(self.listed(), ["@acme/tickets"])
        self.visit("#/package/mails@0.9.0")
        self.assertIn("mails 0.9.0", self.text("h1[tabindex]"))

    def test_the_page_of_a_package(self):
        self.visit("#/package/@acme/tickets")
        text = self.text()
        for word in ("@acme/tickets 1.1.0", "Issues of a tracker", "network", "env:TRACKER_TOKEN", "greetings", "./hello"):
            self.assertIn(word, text)
        release = self.registry.index("@acme/tickets")["versions"]["1.1.0"]
        artifact = release["artifacts"][0]
        for word in (artifact["sha256"], artifact["file"], f"{artifact['size']:,} bytes", release["published"][:10]):
            self.assertIn(word, text)
        shown = self.browser.evaluate("document.querySelector('details pre').textContent")
        self.assertEqual(shown, release["manifest"])

    def test_how_to_install(self):
        self.visit("#/package/@acme/tickets")
        add, install = self.browser.evaluate("[...document.querySelectorAll('.command code')].map((each) => each.textContent)")
        fingerprint = self.registry.made.stdout.split("fingerprint")[1].strip()
        self.assertEqual(add, f"curupira registry add registry {self.url} --root-fingerprint {fingerprint}")
        self.assertEqual(install, "curupira plugins install registry:@acme/tickets@1.1.0")
        self.browser.click("button", "Copy: Install the package")
        self.browser.wait("/^(Copied|Selected): Install the package/.test(document.getElementById('status').textContent)")

    def test_a_version_that_was_taken_back(self):
        # astral-sh/uv#19112: the reason is where the version is, and there is no command that installs it.
        self.visit("#/package/@acme/tickets@1.0.0")
        self.assertIn("taken back. loses tickets <b>often</b>", self.text("[role=note]"))
        self.assertEqual(self.browser.evaluate("document.querySelectorAll('.command').length"), 0)

    def test_what_is_not_there(self):
        for fragment, said in (("#/package/nothing", "no package of the name nothing"), ("#/package/mails@9.9.9", "no version 9.9.9")):
            with self.subTest(fragment):
                self.visit(fragment)
                self.assertIn(said, self.text())

    def test_who_vouches_for_it(self):
        self.visit()
        self.assertIn("It does not check signatures: the program does", self.text("footer"))


class AsServedByNginx(AsServed):
    """By any web server, below any path."""

    @classmethod
    def serve(cls) -> str:
        cls.registry = filled_registry(cls.home)
        server = WebServer.of(cls)
        (server.files / "some").mkdir()
        (server.files / "some" / "registry").symlink_to(cls.registry.folder)
        return server.url + "some/registry/"


class ForEverybody(Browsing):
    def test_by_keyboard_alone(self):
        self.visit()
        focused = "document.activeElement"
        self.browser.press("Tab", "Enter")
        self.assertEqual(self.browser.evaluate(f"{focused}.id"), "content")
        self.browser.press("Tab")
        self.browser.type("tracker")
        self.browser.press("Enter")
        self.assertEqual(self.browser.evaluate(f"{focused}.textContent"), "@acme/tickets")
        self.browser.press("Enter")
        self.browser.wait(ON_PACKAGE)
        self.assertIn("@acme/tickets", self.browser.evaluate("document.title"))
        self.browser.back()
        self.browser.wait(f"{focused}.textContent === '@acme/tickets'")
        self.assertEqual(self.browser.evaluate("document.getElementById('search').value"), "tracker")

    def test_what_a_screen_reader_gets(self):
        self.visit()
        for line in (
            "- banner:", "- main:", "- status: 3 packages", '- heading "Packages" [level=1]', "- search:",
            '- searchbox "Search packages"', '- list "Packages":', '- heading "@acme/tickets 1.1.0" [level=2]:', "- contentinfo:",
        ):  # fmt: skip
            self.assertIn(line, self.browser.tree())
        self.browser.click("link", "@acme/tickets")
        self.browser.wait(ON_PACKAGE)
        for line in (
            "- article:", '- navigation "Back":', '- link "All packages":', '- heading "@acme/tickets 1.1.0" [level=1]',
            '- region "Install":', '- region "Permissions":', '- region "Versions":', '- link "1.0.0":', "- term: Published",
            """- 'button "Copy: Install the package"': Copy""",
        ):  # fmt: skip
            self.assertIn(line, self.browser.tree())

    def test_the_address_of_the_version_that_is_shown_says_so(self):
        self.visit("#/package/@acme/tickets")
        current = self.browser.evaluate("[...document.querySelectorAll('[aria-current=page]')].map((each) => each.textContent)")
        self.assertEqual(current, ["1.1.0"])

    def test_light_and_dark_can_be_read(self):
        grounds = set()
        for scheme in ("light", "dark"):
            for fragment in ("", "#/package/@acme/tickets", "#/package/@acme/tickets@1.0.0"):
                with self.subTest(scheme, fragment=fragment):
                    self.browser.fresh(scheme=scheme)
                    self.visit(fragment)
                    self.assertEqual(self.browser.evaluate(LOW_CONTRAST), [])
            grounds.add(self.browser.evaluate("getComputedStyle(document.body).backgroundColor"))
            self.browser.screenshot(self.home.temporary / f"{scheme}.png")
        self.assertEqual(len(grounds), 2)

    def test_on_a_phone(self):
        for fragment in ("", "#/package/@acme/tickets"):
            with self.subTest(fragment):
                self.browser.fresh(width=360, height=740)
                self.visit(fragment)
                self.assertLessEqual(self.browser.evaluate("document.documentElement.scrollWidth"), 360)
                self.browser.screenshot(self.home.temporary / "phone.png")


HOSTILE = {
    "latest": "1.0.0<img src=x onerror=alert(1)>",
    "summary": "<img src=x onerror=alert(1)> \u202egnp.exe \u0000\u200b <script>alert(2)</script>",
    "triggers": ["</li><script>alert(3)</script>", 7, None],
}
MANIFEST = 'name = "x"\ntrigger_types = ["<i>a</i>"]\n["capabilities"]\n"permissions" = [ # hidden\n\'<b>all</b>\', "env\\u003aX"]\n'
INDEX = {
    "versions": {
        "1.0.0": {
            "manifest": MANIFEST,
            "published": "<svg onload=alert(4)>",
            "yanked": {"reason": "<img src=x onerror=alert(5)>"},
            "artifacts": [{"file": "javascript:alert(6)", "sha256": "<b>", "size": -1, "platforms": ["<u>"]}, None, 7],
        },
        "2.0.0": {"manifest": 'permissions = """', "published": 5, "artifacts": "x"},
        "__proto__": {},
    }
}


class Hostile(Browsing):
    """Everything that a server says is text, if it is anything."""

    @classmethod
    def serve(cls) -> str:
        folder = cls.home.work / "hostile"
        page = (OwnRegistry(cls.home).folder / "index.html").read_bytes()
        names = ["__proto__", "constructor", "../x", "a/b", "@a/../b", "<b>", "x" * 200, "X", ""]
        packages = {"evil": HOSTILE, **{name: {"latest": "1.0.0"} for name in names}, "toString": {}, "odd": {"summary": {}}}
        write_unsigned_registry(folder, page, packages, {"evil": INDEX})
        return StaticServer.of(cls, folder).url

    def test_texts_stay_texts(self):
        self.visit()
        self.assertEqual(self.listed(), ["constructor", "evil", "odd"])
        text = self.text()
        self.assertIn("<img src=x onerror=alert(1)> \\u{202e}gnp.exe \\u{0}\\u{200b} <script>alert(2)</script>", text)
        self.assertEqual(self.browser.evaluate("document.querySelectorAll('main img, main script, main svg').length"), 0)

    def test_also_on_the_page_of_a_package(self):
        self.visit("#/package/evil@1.0.0")
        text = self.text()
        for word in ("<b>all</b>", "env:X", "javascript:alert(6)", "<u>", "of unknown size", "<img src=x onerror=alert(5)>"):
            self.assertIn(word, text)
        elements = "document.querySelectorAll('main img, main script, main svg, main b, main u, main i').length"
        self.assertEqual(self.browser.evaluate(elements), 0)
        links = "[...document.querySelectorAll('a')].every((each) => each.getAttribute('href').startsWith('#'))"
        self.assertTrue(self.browser.evaluate(links))

    def test_a_manifest_that_cannot_be_read_is_not_one_without_permissions(self):
        self.visit("#/package/evil@2.0.0")
        self.assertIn("The manifest cannot be read here", self.text())

    def test_an_address_that_somebody_made_up(self):
        for fragment in ("#/package/%00", "#/package/../../x", "#/search/%zz", "#/package/<img src=x onerror=alert(7)>"):
            with self.subTest(fragment):
                self.visit(fragment)
                self.assertEqual(self.browser.evaluate("document.querySelectorAll('main img').length"), 0)


class HalfUpToDate(Browsing):
    @classmethod
    def serve(cls) -> str:
        cls.folder = cls.home.work / "broken"
        cls.page = (OwnRegistry(cls.home).folder / "index.html").read_bytes()
        return StaticServer.of(cls, cls.home.work).url + "broken/"

    def setUp(self):
        super().setUp()
        write_unsigned_registry(self.folder, self.page, {"x": {"latest": "1.0.0"}})

    def check_nothing_else_happened(self):
        """The browser says on its console that a file is missing."""

    def test_another_index_than_the_metadata_names(self):
        (file,) = (self.folder / "targets" / "search").iterdir()
        file.write_bytes(file.read_bytes().replace(b"1.0.0", b"6.6.6"))
        self.visit()
        self.assertIn("is not the file that the metadata names", self.text("[role=alert]"))
        self.assertEqual(self.listed(), [])

    def test_what_is_missing_or_no_metadata_is_named(self):
        for name in ("timestamp.json", "1.snapshot.json", "1.search.json"):
            for content in (None, b"", b"[]", b"null", b'{"signed": []}', b"x" * (6 << 20)):
                with self.subTest(name, content=content and content[:20]):
                    write_unsigned_registry(self.folder, self.page, {})
                    file = self.folder / "metadata" / name
                    file.unlink() if content is None else file.write_bytes(content)
                    self.browser.fresh()
                    self.visit()
                    self.assertIn(f"metadata/{name}", self.text("[role=alert]"))


class ManyPackages(Browsing):
    @classmethod
    def serve(cls) -> str:
        folder = cls.home.work / "many"
        page = (OwnRegistry(cls.home).folder / "index.html").read_bytes()
        packages = {f"package-{number:05}": {"latest": "1.0.0", "summary": f"Number {number}"} for number in range(10_000)}
        write_unsigned_registry(folder, page, packages)
        return StaticServer.of(cls, folder).url

    def test_only_some_are_in_the_document(self):
        self.visit()
        self.assertIn("10,000 packages", self.text("#count"))
        self.assertEqual(len(self.listed()), 50)
        self.browser.click("button", "Show 50 more of 9,950 packages")
        self.assertEqual(len(self.listed()), 100)
        self.assertEqual(self.browser.evaluate("document.activeElement.textContent"), "package-00050")

    def test_all_are_found(self):
        self.visit()
        self.browser.click("searchbox", "Search packages")
        self.browser.type("package-09999")
        self.assertEqual(self.listed(), ["package-09999"])


if __name__ == "__main__":
    main()
