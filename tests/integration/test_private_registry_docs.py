"""docs/private-registry.md, run as it is written: a keeper, and users of a web server, an OCI registry, a share and a stick."""

import json
import unittest
from base64 import b64encode

from curupira_testing import Program, TempHome, main, skip
from curupira_testing.closed_network import without_network
from curupira_testing.docs_page import DocsPage, Machines
from curupira_testing.example_org import ExampleOrg
from curupira_testing.oci_registry import DockerRegistry
from curupira_testing.packages import extension_folder

LOGIN = ("team", "images-password")
USERS = ("ana", "ben", "cleo", "dan")


class PrivateRegistryPage(unittest.TestCase):
    def test_runs_as_written(self):
        skip.need_program("node")
        home, page = TempHome.of(self), DocsPage("private-registry.md")
        images = DockerRegistry.of(self, login=LOGIN)
        for name in ("WWW", "SHARE", "STICK", "NOTES"):
            (home.folder / name).mkdir()
            home.environment[name] = str(home.folder / name)
        names = ExampleOrg.of(self, plugins=home.folder / "WWW", images=f"http://{images.authority}")
        home.environment.update(names.environment)
        machines, curupira = Machines(home), Program(home)
        for name in ("keeper", "ben"):
            machines.sit_at(name)
            (home.path / ".docker").mkdir()
            auth = {"images.example.org": {"auth": b64encode(":".join(LOGIN).encode()).decode()}}
            (home.path / ".docker" / "config.json").write_text(json.dumps({"auths": auth}))
        machines.sit_at("keeper")
        for name, version in (("tickets", "1.0.0"), ("tickets", "1.1.0"), ("mails", "1.0.0")):
            extension_folder(home.path, name, version)
        self.assertGreaterEqual(len(page.steps), 25)
        page.run(self, curupira, machines, home.path, {"dan": without_network()})
        self.assertEqual(names.elsewhere, [], "nothing else was asked")
        for name in USERS:
            machines.sit_at(name)
            self.assertTrue(any((home.curupira / "extensions").iterdir()), f"{name} has an extension")


if __name__ == "__main__":
    main()
