"""docs/mirror.md, run as it is written: registries outside, the mirror on nginx with the page's own configuration."""

import unittest

from curupira_testing import Program, TempHome, main, skip
from curupira_testing.docs_page import DocsPage, Machines
from curupira_testing.example_org import ExampleOrg
from curupira_testing.network import WebServer
from curupira_testing.packages import acme_archive, hello_wheel, publish_npm, sha256
from curupira_testing.services import Pypiserver, Verdaccio
from curupira_testing.settings import settings_of_nothing


class MirrorPage(unittest.TestCase):
    def test_runs_as_written(self):
        for program in ("npm", "npx", "nginx"):
            skip.need_program(program)
        skip.need_uv()
        home, page, npm, python = TempHome.of(self), DocsPage("mirror.md"), Verdaccio.of(self), Pypiserver.of(self)
        publish_npm(npm, "node-hello")
        publish_npm(npm, "acme-curupira-ext", version="1.2.7")
        hello_wheel(python.packages, "acme-reviews", "2.0.0")
        vendor = home.folder / "vendor"
        vendor.mkdir()
        home.environment["DIGEST"] = sha256(acme_archive(vendor, "tar.gz").read_bytes())
        machines = Machines(home)
        # Machines change places at one path: the server sees the outside one, wherever it is.
        served = home.folder / "machines" / "home-outside" / "mirror"
        server = WebServer.of(self, extra=self.configuration(page, str(served)))
        names = ExampleOrg.of(self, npm=npm.url, python=python.url, vendor=vendor, mirror=server.url)
        home.environment.update(names.environment)
        machines.sit_at("inside")
        machines.sit_at("outside")
        home.environment["PIP_CONFIG_FILE"] = str(home.path / "pip.conf")
        (home.path / ".npmrc").write_text("registry=https://npm.example.org/\n")
        (home.path / "pip.conf").write_text("[global]\nindex-url = https://python.example.org/simple/\n")
        home.write_settings(settings_of_nothing())
        page.run(self, Program(home), machines, home.path)
        self.assertEqual(names.elsewhere, [], "nothing else was asked")
        self.assertEqual([each.path for each in server.asked() if each.status == 301], [], "no client was sent elsewhere")

    def configuration(self, page: DocsPage, folder: str) -> str:
        (text,) = page.blocks("nginx")
        shown = "root /srv/mirror;"
        self.assertIn(shown, text)
        # The test's server has a root of its own: each location gets the page's.
        text = text.replace(shown, "").replace("{\n", f"{{\n  root {folder};\n")
        return f"{text}location / {{ root {folder}; }}\n"


if __name__ == "__main__":
    main()
