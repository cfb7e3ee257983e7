"""docs/doctor.md, run as it is written, with a registry and an index at the addresses that it shows."""

import unittest

from curupira_testing import Program, TempHome, main
from curupira_testing.docs_page import DocsPage
from curupira_testing.example_org import ExampleOrg
from curupira_testing.services import Pypiserver, Verdaccio
from curupira_testing.settings import npx, settings_text


class DoctorPage(unittest.TestCase):
    def test_runs_as_written(self):
        home, page = TempHome.of(self), DocsPage("doctor.md")
        names = ExampleOrg.of(self, npm=Verdaccio.of(self).url, python=Pypiserver.of(self).url)
        home.environment.update(names.environment)
        home.environment["UV_DEFAULT_INDEX"] = "https://python.example.org/simple/"
        login = "//npm.example.org/:_authToken=not-a-token"
        (home.path / ".npmrc").write_text(f"registry=https://npm.example.org/\n{login}\n")
        plugins = {"tickets": npx("-y", "@acme/curupira-ext@^1.2")}
        remote = "https://git.example.org/acme/api.git"
        home.write_settings(settings_text(remote, plugins, {"triage": {"trigger_type": "tickets/greetings"}}))
        self.assertGreaterEqual(len(page.steps), 4)
        page.run(self, Program(home))


if __name__ == "__main__":
    main()
