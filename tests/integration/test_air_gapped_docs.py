"""docs/air-gapped.md, run as it is written: registries outside; inside neither network nor npm nor uv."""

import json
import shutil
import unittest
from pathlib import Path

from curupira_testing import Program, TempHome, main, skip
from curupira_testing.closed_network import only_programs, without_network
from curupira_testing.docs_page import DocsPage, Machines
from curupira_testing.example_org import ExampleOrg
from curupira_testing.oci import BundleParts
from curupira_testing.packages import hello_wheel, publish_npm
from curupira_testing.paths import EXTENSIONS
from curupira_testing.services import Pypiserver, Verdaccio

#: What the machine inside has.
INSIDE = ("node", "python3", "bwrap", "sh", "mkdir", "cp", "cat", "tar", "grep", "sha256sum")


class AirGappedPage(unittest.TestCase):
    def test_runs_as_written(self):
        for program in ("npm", "node", "skopeo"):
            skip.need_program(program)
        skip.need_uv()
        home, page, npm, python = TempHome.of(self), DocsPage("air-gapped.md"), Verdaccio.of(self), Pypiserver.of(self)
        names = ExampleOrg.of(self, npm=npm.url, python=python.url)
        home.environment.update(names.environment)
        home.environment["PIP_CONFIG_FILE"] = str(home.path / ".config" / "pip" / "pip.conf")
        for name in ("STICK", "NOTES"):
            (home.folder / name).mkdir()
            home.environment[name] = str(home.folder / name)
        publish_npm(npm, "node-hello")
        publish_npm(npm, "acme-curupira-ext", version="1.2.7")
        hello_wheel(python.packages, "acme-reviews", "2.0.0")
        machines, curupira = Machines(home), Program(home)
        machines.sit_at("inside")
        machines.sit_at("outside")
        self.furnish_outside(home, page, npm)
        programs = only_programs(home, *INSIDE)["PATH"]
        (Path(programs) / "curupira").symlink_to(curupira.executable)
        closed = (*without_network(), "env", f"PATH={programs}")
        self.assertGreaterEqual(len(page.steps), 20)
        page.run(self, curupira, machines, home.path, {"inside": closed})
        self.assertEqual(names.elsewhere, [], "nothing else was asked")
        self.check_what_the_page_says_of_the_format(page, BundleParts(home.folder / "STICK" / "extensions-2.oci"))

    def furnish_outside(self, home: TempHome, page: DocsPage, npm: Verdaccio) -> None:
        address = "https://npm.example.org/"
        login = f"{address.removeprefix('https:')}:_authToken={npm.token}"
        (home.path / ".npmrc").write_text(f"registry={address}\n@acme:registry={address}\n{login}\n")
        (home.path / ".config" / "pip").mkdir(parents=True)
        (home.path / ".config" / "pip" / "pip.conf").write_text("[global]\nindex-url = https://python.example.org/simple/\n")
        newer = home.path / "curupira-ext-1.3.0"
        shutil.copytree(EXTENSIONS / "acme-curupira-ext", newer)
        package = json.loads((newer / "package.json").read_text())
        (newer / "package.json").write_text(json.dumps({**package, "version": "1.3.0"}))
        (home.path / "agents").mkdir()
        (settings,) = page.blocks("toml")
        (home.path / "agents" / "settings.toml").write_text(settings)

    def check_what_the_page_says_of_the_format(self, page: DocsPage, bundle: BundleParts) -> None:
        types = {bundle.index["manifests"][0]["mediaType"], bundle.manifest["config"]["mediaType"], bundle.manifest["artifactType"]}
        types |= {layer["mediaType"] for layer in bundle.manifest["layers"]}
        members = set(bundle.config) | {f"items[].{name}" for item in bundle.config["items"] for name in item}
        for name in types | members:
            self.assertIn(f"`{name}`", page.text)


if __name__ == "__main__":
    main()
