"""docs/copy-registry.md, run as it is written, with Debian's OCI registry."""

import unittest

from curupira_testing import Program, TempHome, main
from curupira_testing.docs_page import DocsPage
from curupira_testing.example_org import ExampleOrg
from curupira_testing.oci_registry import DockerRegistry
from curupira_testing.packages import extension_folder


class CopyRegistryPage(unittest.TestCase):
    def test_runs_as_written(self):
        home, oci = TempHome.of(self), DockerRegistry.of(self)
        names = ExampleOrg.of(self, registry=f"http://{oci.authority}")
        home.environment.update(names.environment)
        curupira = Program(home)
        for version in ("1.0.0", "1.1.0"):
            extension_folder(home.path, "tickets", version)
        registry = home.path / "registry"
        curupira("registry", "init", registry, "--bits", "2").expect(0)
        curupira("registry", "publish", registry, home.path / "tickets-1.0.0").expect(0)
        curupira("registry", "refresh", registry).expect(0)
        page = DocsPage("copy-registry.md")
        self.assertGreaterEqual(len(page.steps), 10)
        page.run(self, curupira)
        self.assertEqual(names.elsewhere, [], "nothing else was asked")


if __name__ == "__main__":
    main()
