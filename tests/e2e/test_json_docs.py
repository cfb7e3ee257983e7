"""docs/json.md: its examples are run as written, and every document has the members that it describes."""

import json
import re
import unittest

from curupira_testing import Program, TempHome, main
from curupira_testing.docs_page import DocsPage
from curupira_testing.own_registry import OwnRegistry
from curupira_testing.packages import extension_folder
from curupira_testing.registry_server import RegistryServer
from curupira_testing.repo import bare_repository
from curupira_testing.settings import installed, settings_text

#: A command line for each command that the page describes.
COMMANDS = {
    "plugins list": "plugins list",
    "plugins info NAME": "plugins info acme",
    "plugins install …": "plugins install path:acme-1.0.0 --dry-run",
    "plugins lock": "plugins lock",
    "plugins sync": "plugins sync",
    "plugins bundle create …": "plugins bundle create -o acme.oci",
    "plugins bundle inspect …": "plugins bundle inspect acme.oci",
    "plugins bundle install …": "plugins bundle install acme.oci",
    "plugins outdated": "plugins outdated",
    "plugins update": "plugins update --dry-run",
    "plugins remove …": "plugins remove other",
    "plugins rollback --list": "plugins rollback --list",
    "plugins rollback [N]": "plugins rollback",
    "plugins verify [NAME…]": "plugins verify",
    "plugins verify --repair": "plugins verify --repair",
    "plugins verify --explain …": "plugins verify --explain acme",
    "cache info": "cache info",
    "cache prune …": "cache prune --dry-run",
    "cache verify": "cache verify",
    "policy test REF…": "policy test path:acme-1.0.0",
    "registry add NAME URL …": "registry add ours ours --root-fingerprint {fingerprint of ours}",
    "registry list": "registry list",
    "plugins search WORD…": "plugins search acme",
    "registry remove NAME": "registry remove ours",
    "registry init DIR": "registry init reg --bits 1",
    "registry publish DIR PATH…": "registry publish reg acme-1.0.0",
    "registry yank DIR NAME VERSION …": "registry yank reg acme 1.0.0 --reason broken",
    "registry unyank DIR NAME VERSION": "registry unyank reg acme 1.0.0",
    "registry refresh DIR": "registry refresh reg",
    "registry verify DIR": "registry verify reg",
    "registry push DIR ADDRESS": "registry push reg copied",
    "registry copy FROM TO": "registry copy reg copied",
    "registry pull ADDRESS DIR": "registry pull reg copied",
    "registry mirror DIR REF…": "registry mirror reg --url https://mirror.example.org/ --dry-run",
    "registry keys list DIR": "registry keys list reg",
    "registry keys new FILE": "registry keys new team.pem",
    "registry keys add DIR ROLE": "registry keys add reg root --public-key team.pub",
    "registry keys rotate DIR ROLE": "registry keys rotate reg targets",
    "registry keys revoke DIR ROLE KEY": "registry keys revoke reg root {last root key}",
    "registry delegate DIR PATTERN …": "registry delegate reg @team/* --public-key team.pub",
    "registry sign DIR --key FILE": "registry sign reg --key root.pem",
    "registry undelegate DIR NAMES …": "registry undelegate reg team",
    "registry prune DIR …": "registry prune reg --keep-days 0 --dry-run",
    "registry serve DIR …": "registry serve reg",
    "doctor": "doctor",
    "doctor network": "doctor network http://127.0.0.1:9/",
    "validate": "validate",
    "run --dry-run": "run --dry-run",
}


def sections(page: DocsPage) -> list[tuple[list[str], list[str], str]]:
    """Commands, schemas and text of each section."""
    result = []
    for section in page.text.split("\n## ")[1:]:
        heading, _, text = section.partition("\n")
        commands, _, schemas = heading.partition(" – ")
        names = [each.removesuffix(" --json") for each in re.findall(r"`([^`]*)`", commands)]
        result.append((names, re.findall(r"`([^`]*)`", schemas), text.strip()))
    return result


def members(text: str) -> tuple[set[str], set[str]]:
    """Those that are always there, and those that may be: `{a, b?, c: {…}, d | e}`, or the first column of a table."""
    if text.startswith("| member"):
        return set(re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)), set()
    depth, top = 0, ""
    for character in text[text.index("{") :]:
        depth -= character in "}]"
        top += character if depth == 1 else ""
        depth += character in "{["
        if depth == 0:
            break
    always, sometimes = set(), set()
    for each in top.strip("{}[] ").split(","):
        names = re.findall(r"(\w+)\??", each.partition(":")[0])
        (sometimes if "?" in each or "|" in each else always).update(names)
    return always, sometimes


class JsonPage(unittest.TestCase):
    def setUp(self):
        self.home, self.page = TempHome.of(self), DocsPage("json.md")
        self.curupira = Program(self.home)
        extension_folder(self.home.work, "acme")

    def test_runs_as_written(self):
        self.assertGreaterEqual(len(self.page.steps), 3)
        self.page.run(self, self.curupira)

    def prepare(self) -> None:
        extension_folder(self.home.work, "other")
        self.curupira("plugins", "install", "path:acme-1.0.0", "path:other-1.0.0", "--yes").expect(0)
        remote = bare_repository(self.home.folder / "git")
        task = {"task": {"trigger_type": "acme/greetings"}}
        self.home.write_settings(settings_text(remote, {"acme": installed("acme")}, task))
        self.ours = OwnRegistry(self.home, name="ours")
        # `doctor` asks nobody but this machine.
        (self.home.path / ".npmrc").write_text("registry=http://127.0.0.1:9/\n")
        self.home.environment["UV_DEFAULT_INDEX"] = "http://127.0.0.1:9/simple/"

    def document(self, command: str) -> dict:
        if "{last root key}" in command:
            keys = json.loads(self.curupira("registry", "keys", "list", "reg", "--json").stdout)["roles"][0]["keys"]
            command = command.replace("{last root key}", keys[-1]["id"])
        command = command.replace("{fingerprint of ours}", self.ours.fingerprint)
        if command.startswith("registry sign"):  # a root has to wait, for a key that is elsewhere
            for ending in ("pem", "pub"):
                (self.home.work / f"reg.keys/root-1.{ending}").rename(self.home.work / f"root.{ending}")
            self.curupira("registry", "keys", "rotate", "reg", "online").expect(0)
        if command.startswith("registry serve"):
            return json.loads(RegistryServer.of(self, self.curupira, self.home.work / "reg", "--json").said)
        return json.loads(self.curupira(*command.split(), "--json").stdout)

    def test_every_document_has_the_members_that_are_described(self):
        self.prepare()
        described = sections(self.page)
        self.assertGreaterEqual(len(described), 19)
        for commands, schemas, text in described:
            if text.startswith("As `"):
                continue
            always, sometimes = members(text)
            for i, command in enumerate(commands):
                with self.subTest(command):
                    self.assertIn(command, COMMANDS, "a command line for it belongs there")
                    document = self.document(COMMANDS[command])
                    self.assertEqual(document.pop("schema"), schemas[min(i, len(schemas) - 1)])
                    self.assertLessEqual(always, set(document))
                    self.assertLessEqual(set(document), always | sometimes)


if __name__ == "__main__":
    main()
