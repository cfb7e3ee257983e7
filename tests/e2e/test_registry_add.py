"""`registry add`, `list` and `remove`: whose root is trusted, and what is written into the settings."""

import json
import os
import re
import unittest
from pathlib import Path

from curupira_testing import Program, TempHome, main
from curupira_testing.own_registry import OwnRegistry, StaticServer
from curupira_testing.settings import settings_of_nothing

WRONG = "sha256:" + "5" * 64


class WithRegistry(unittest.TestCase):
    def setUp(self):
        self.home = TempHome.of(self)
        self.curupira = Program(self.home)
        self.registry = OwnRegistry(self.home)

    @property
    def settings(self) -> Path:
        return self.home.curupira / "settings.toml"

    @property
    def trust(self) -> Path:
        return self.home.curupira / "trust"

    def add(self, *arguments: str | Path, name: str = "acme", fingerprint: str | None = None, **options):
        words = ("--root-fingerprint", fingerprint) if fingerprint else ()
        return self.curupira("registry", "add", name, *arguments, *words, **options)

    def list(self) -> list[dict]:
        return json.loads(self.curupira("registry", "list", "--json").expect(0).stdout)["registries"]

    def assert_nothing_left(self, before: dict = {}):
        self.assertEqual(self.home.state(), before)


class Add(WithRegistry):
    def test_trusts_the_root_and_names_the_registry_in_the_settings(self):
        added = self.add(self.registry.folder, fingerprint=self.registry.fingerprint).expect(0)
        self.assertIn(self.registry.fingerprint, added.stdout)
        self.assertEqual(
            self.settings.read_text(),
            f'[registries.acme]\nurl = "{self.registry.folder}"\nroot_fingerprint = "{self.registry.fingerprint}"\n',
        )
        root = (self.registry.folder / "metadata" / "1.root.json").read_bytes()
        self.assertEqual((self.trust / "acme" / "root.json").read_bytes(), root)

    def test_a_folder_is_named_from_anywhere(self):
        self.add("registry", fingerprint=self.registry.fingerprint).expect(0)
        self.assertEqual([each["url"] for each in self.list()], [str(self.registry.folder)])

    def test_the_chain_of_roots_is_followed(self):
        self.registry("keys rotate", "online").expect(0)
        added = self.add(self.registry.folder, fingerprint=self.registry.fingerprint).expect(0)
        self.assertIn("version 2", added.stdout)
        newest = (self.registry.folder / "metadata" / "2.root.json").read_bytes()
        self.assertEqual((self.trust / "acme" / "root.json").read_bytes(), newest)

    def test_every_other_byte_of_the_settings_stays(self):
        before = settings_of_nothing("# ours\r\n") + "# the end, without a line end"
        self.home.write_settings(before)
        written = self.settings.read_bytes()
        self.add(self.registry.folder, "--mirror", self.home.work / "b", fingerprint=self.registry.fingerprint).expect(0)
        after = self.settings.read_bytes()
        self.assertTrue(after.startswith(written))
        self.assertEqual(
            after[len(written) :].decode(),
            f'\n\n[registries.acme]\nurl = "{self.registry.folder}"\nmirrors = ["{self.home.work}/b"]\n'
            f'root_fingerprint = "{self.registry.fingerprint}"\n',
        )
        self.curupira("registry", "remove", "acme").expect(0)
        self.assertEqual(self.settings.read_bytes(), written + b"\n")

    def test_a_link_to_the_settings_stays_one_and_the_file_keeps_its_mode(self):
        real = self.home.work / "dotfiles.toml"
        real.write_text(settings_of_nothing())
        real.chmod(0o600)
        self.home.curupira.mkdir()
        self.settings.symlink_to(real)
        self.registry.added_by(self.curupira)
        self.assertTrue(self.settings.is_symlink())
        self.assertEqual(real.stat().st_mode & 0o777, 0o600)
        self.assertIn("[registries.acme]", real.read_text())

    def test_into_the_settings_that_the_command_line_names(self):
        file = self.home.work / "team.toml"
        self.add(self.registry.folder, "--config", file).expect_error("CUR-1201", code=2)
        file.write_text("")
        self.registry.added_by(self.curupira)
        self.curupira("registry", "remove", "acme").expect(0)
        self.add(self.registry.folder, "--config", file, fingerprint=self.registry.fingerprint).expect(0)
        self.assertTrue(file.read_text().startswith("[registries.acme]"))

    def test_settings_with_registries_alone_are_enough_to_install(self):
        self.registry.added_by(self.curupira)
        extension = self.registry.extension("tickets")
        self.curupira("plugins", "install", f"path:{extension}", "--yes").expect(0)
        self.curupira("validate").expect(2)

    def test_json(self):
        added = self.add(self.registry.folder, "--json", fingerprint=self.registry.fingerprint).expect(0)
        self.assertEqual(
            json.loads(added.stdout),
            {
                "schema": "curupira.registry.add.v1",
                "name": "acme",
                "url": str(self.registry.folder),
                "fingerprint": self.registry.fingerprint,
                "rootVersion": 1,
                "settings": str(self.settings),
            },
        )


class Confirmation(WithRegistry):
    def test_nobody_there_to_ask(self):
        refused = self.add(self.registry.folder)
        refused.expect_error("CUR-4904", self.registry.fingerprint, "--root-fingerprint")
        self.assert_nothing_left()

    def test_asked_on_a_terminal(self):
        words = ("registry", "add", "acme", self.registry.folder)
        refused = self.curupira.on_terminal(*words, answers=[("Trust it?", "n\n")]).expect(1)
        self.assertIn(self.registry.fingerprint, refused.stdout)
        self.assert_nothing_left()
        self.curupira.on_terminal(*words, answers=[("Trust it?", "y\n")]).expect(0)
        self.assertEqual(self.list()[0]["fingerprint"], self.registry.fingerprint)

    def test_another_root(self):
        refused = self.add(self.registry.folder, fingerprint=WRONG)
        refused.expect_error("CUR-4905", f"expected {WRONG}", f"found    {self.registry.fingerprint}")
        self.assert_nothing_left()

    def test_a_fingerprint_that_is_none(self):
        for text in ("5" * 64, "sha256:55", "sha512:" + "5" * 64, "sha256:" + "g" * 64, ""):
            with self.subTest(text):
                self.add(self.registry.folder, "--root-fingerprint", text).expect(2)
        self.assert_nothing_left()

    def test_a_mirror_with_the_right_root_is_asked_next(self):
        other = OwnRegistry(self.home, name="other")
        added = self.add(other.folder, "--mirror", self.registry.folder, fingerprint=self.registry.fingerprint)
        added.expect(0)
        self.assertIn(str(other.folder), added.stderr)
        self.assertEqual(self.list()[0]["rootVersion"], 1)

    def test_the_root_has_to_be_signed_by_its_own_keys(self):
        file = self.registry.folder / "metadata" / "1.root.json"
        root = json.loads(file.read_bytes())
        root["signed"]["expires"] = "2999-01-01T00:00:00Z"
        file.write_text(json.dumps(root))
        self.add(self.registry.folder, fingerprint=self.registry.fingerprint).expect_error("CUR-4607")
        self.assert_nothing_left()

    def test_what_the_root_vouches_for_has_to_hold(self):
        """A root alone is no registry: what is added has been asked once."""
        (self.registry.folder / "metadata" / "timestamp.json").unlink()
        self.add(self.registry.folder, fingerprint=self.registry.fingerprint).expect_error("CUR-4615")
        self.assert_nothing_left()

    def test_a_root_of_100_megabytes(self):
        with open(self.registry.folder / "metadata" / "1.root.json", "r+b") as file:
            file.truncate(100_000_000)
        self.add(self.registry.folder).expect_error("CUR-4616")
        self.assert_nothing_left()

    def test_what_a_killed_one_left_is_tidied_up_the_next_day(self):
        old, young = self.trust / ".new-old", self.trust / ".new-young"
        for folder in (old, young):
            folder.mkdir(parents=True)
            (folder / "root.json").write_text("{}")
        os.utime(old, (0, 0))
        self.registry.added_by(self.curupira)
        self.assertFalse(old.exists())
        self.assertTrue(young.exists())

    def test_no_registry_there(self):
        for address in (self.home.work, self.home.work / "nowhere"):
            with self.subTest(address):
                self.add(address, fingerprint=WRONG).expect(1)
        self.assert_nothing_left()


class Names(WithRegistry):
    def test_that_are_none(self):
        names = ("npm", "pip", "path", "archive", "https", "Acme", "1st", "a.b", "a_b", "../x", "a/b", "é", "x" * 41, ".")
        for name in names:
            for command in (("add", name, self.registry.folder), ("remove", name)):
                with self.subTest(command):
                    self.curupira("registry", *command).expect_error("CUR-4902", code=2)
        self.assert_nothing_left()

    def test_that_are_taken(self):
        self.registry.added_by(self.curupira)
        before = self.home.state()
        refused = self.add(self.registry.folder, fingerprint=self.registry.fingerprint)
        refused.expect_error("CUR-4903", f"{self.settings}:1", str(self.registry.folder), code=2)
        self.assert_nothing_left(before)

    def test_trusted_for_other_settings_already(self):
        """One name is one root on one machine: other settings cannot turn it into another registry."""
        self.registry.added_by(self.curupira)
        team = self.home.work / "team.toml"
        team.write_text("")
        other = OwnRegistry(self.home, name="other")
        words = ("acme", other.folder, "--config", team, "--root-fingerprint", other.fingerprint)
        self.curupira("registry", "add", *words).expect_error("CUR-4903", self.registry.fingerprint, code=2)
        self.assertEqual(team.read_text(), "")
        # The same one: nobody has to be asked again.
        self.curupira("registry", "add", "acme", self.registry.folder, "--config", team).expect(0)
        self.assertIn(self.registry.fingerprint, team.read_text())

    def test_two_at_once(self):
        words = ("registry", "add", "acme", self.registry.folder, "--root-fingerprint", self.registry.fingerprint)
        children = [self.curupira.start(*words) for _ in range(4)]
        for child in children:
            child.communicate(timeout=60)
        self.assertEqual(sorted(child.returncode for child in children), [0, 2, 2, 2])
        self.assertEqual(self.settings.read_text().count("[registries.acme]"), 1)
        self.assertEqual(os.listdir(self.trust / "acme").count("root.json"), 1)
        self.curupira("plugins", "search", "x").expect(0)

    def test_several_at_once(self):
        names = ("one", "two", "three", "four")
        fingerprint = ("--root-fingerprint", self.registry.fingerprint)
        children = [self.curupira.start("registry", "add", name, self.registry.folder, *fingerprint) for name in names]
        for child in children:
            _, errors = child.communicate(timeout=60)
            self.assertEqual(child.returncode, 0, errors)
        self.assertEqual({each["name"] for each in self.list()}, set(names))


class Addresses(WithRegistry):
    def test_a_password_is_never_shown(self):
        server = StaticServer.of(self, self.registry.folder)
        address = server.url.replace("//", "//anna:s3cret@")
        added = self.add(address, fingerprint=self.registry.fingerprint).expect(0)
        self.assertIn("netrc", added.stderr)
        shown = [added, self.curupira("registry", "list"), self.curupira("registry", "list", "--json")]
        shown.append(self.add(address, fingerprint=self.registry.fingerprint))
        server.stop()
        shown.append(self.curupira("plugins", "search", "x"))
        for result in shown:
            self.assertNotIn("s3cret", result.stdout + result.stderr)
        self.assertIn(server.url, shown[1].stdout)

    def test_that_are_none_are_not_repeated(self):
        for address in ("https://anna:s3/cret@example.org/", "ftp://anna:s3cret@example.org/", "oci://anna:s3cret@h/p"):
            with self.subTest(address):
                refused = self.add(address, fingerprint=WRONG).expect(2)
                self.assertNotIn("s3", refused.stdout + refused.stderr)
        self.assert_nothing_left()

    def test_a_dead_server_gives_way_to_a_mirror(self):
        server = StaticServer.of(self, self.registry.folder)
        dead = "http://127.0.0.1:9/"
        self.add(dead, "--mirror", server.url, fingerprint=self.registry.fingerprint).expect(0)
        self.assertIn("metadata/1.root.json", server.asked)

    def test_the_settings_cannot_take_the_section(self):
        self.home.write_settings('registries = { other = { url = "x" } }\n')
        before = self.home.state()
        refused = self.add(self.registry.folder, fingerprint=self.registry.fingerprint)
        refused.expect_error("CUR-1203", "by hand", "[registries.acme]", code=2)
        self.assert_nothing_left(before)


class Settings(WithRegistry):
    """`[registries.NAME]` that somebody else wrote: a team's file in git pins the root for everybody."""

    def write(self, **fields: object) -> None:
        lines = "".join(f"{key} = {json.dumps(value)}\n" for key, value in fields.items())
        self.home.write_settings(f"[registries.acme]\n{lines}")

    def search(self, *arguments: str):
        return self.curupira("plugins", "search", "tickets", *arguments)

    def test_the_first_use_trusts_the_root_of_the_fingerprint(self):
        self.registry.publish("tickets")
        self.write(url=str(self.registry.folder), root_fingerprint=self.registry.fingerprint)
        self.assertFalse(self.list()[0]["trusted"])
        self.assertIn("acme:tickets", self.search().expect(0).stdout)
        self.assertTrue(self.list()[0]["trusted"])

    def test_another_root_than_the_one_of_the_fingerprint(self):
        self.write(url=str(self.registry.folder), root_fingerprint=WRONG)
        before = self.home.state()
        self.search().expect_error("CUR-4905", self.registry.fingerprint)
        self.assert_nothing_left(before)

    def test_no_fingerprint_and_no_trust(self):
        self.write(url=str(self.registry.folder))
        before = self.home.state()
        self.search().expect_error("CUR-4904", "registry add acme")
        self.assert_nothing_left(before)

    def test_other_settings_that_use_the_name_for_another_registry(self):
        self.registry.added_by(self.curupira)
        other = OwnRegistry(self.home, name="other")
        self.write(url=str(other.folder), root_fingerprint=other.fingerprint)
        self.search().expect_error("CUR-4905", self.registry.fingerprint, other.fingerprint, "registry remove acme")
        # Without a fingerprint the trusted root decides, whatever the address is.
        self.write(url=str(other.folder))
        self.search().expect(1)

    def test_a_folder_is_relative_to_the_settings(self):
        team = self.home.work / "team" / "settings.toml"
        team.parent.mkdir()
        team.write_text(
            f'[registries.acme]\nurl = "../registry"\nroot_fingerprint = "{self.registry.fingerprint}"\n'
        )
        self.curupira("plugins", "search", "x", "--config", team, cwd=self.home.path).expect(0)

    def test_that_are_wrong(self):
        for field, position in (
            ('url = ""', "2:7"),
            ("url = 5", "2:7"),
            ('url = "a\\u001bb"', "2:7"),
            ("mirrors = []", "1:"),
            ('url = "x"\nmirrors = ["ok", ""]', "3:18"),
            ('url = "x"\nmirrors = "y"', "3:11"),
            ('url = "x"\nroot_fingerprint = "sha256:5"', "3:20"),
        ):
            with self.subTest(field):
                self.home.write_settings(f"[registries.acme]\n{field}\n")
                self.search().expect_error("CUR-1203", f"{self.settings}:{position}", code=2)
        self.home.write_settings('[registries.npm]\nurl = "x"\n')
        self.search().expect_error("CUR-4902", f"{self.settings}:1:13", code=2)

    def test_a_wrong_address_is_not_repeated(self):
        self.home.write_settings('[registries.acme]\nurl = "https://anna:s3cret@example.org/\\u001b"\n')
        self.assertNotIn("s3cret", self.search().expect(2).stderr)

    def test_a_trust_folder_that_is_a_link(self):
        self.registry.added_by(self.curupira)
        elsewhere = self.home.work / "elsewhere"
        (self.trust / "acme").rename(elsewhere)
        (self.trust / "acme").symlink_to(elsewhere)
        self.search().expect_error("CUR-4624", "registry remove acme")
        self.curupira("registry", "remove", "acme").expect(0)
        self.assertFalse((self.trust / "acme").is_symlink())
        self.assertTrue((elsewhere / "root.json").exists())


class List(WithRegistry):
    def test_none(self):
        self.assertIn("registry add", self.curupira("registry", "list").expect(0).stdout)

    def test_what_is_trusted_and_until_when(self):
        self.registry.added_by(self.curupira)
        shown = self.curupira("registry", "list").expect(0).stdout
        expires = self.registry.signed("timestamp")["expires"]
        for line in (f"address      {self.registry.folder}", self.registry.fingerprint, "version 1", f"expires on {expires}"):
            self.assertIn(line, shown)
        (listed,) = self.list()
        self.assertEqual((listed["timestampExpires"], listed["rootVersion"]), (expires, 1))
        self.assertRegex(listed["lastUpdate"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")

    def test_asks_nobody(self):
        server = StaticServer.of(self, self.registry.folder)
        self.registry.added_by(self.curupira, url=server.url)
        server.asked.clear()
        self.curupira("registry", "list").expect(0)
        self.assertEqual(server.asked, [])

    def test_damaged_trust(self):
        self.registry.added_by(self.curupira)
        (self.trust / "acme" / "root.json").write_text("{}")
        self.assertIn("cannot be used", self.curupira("registry", "list").expect(0).stdout)
        self.assertEqual(self.list()[0]["error"]["code"], "CUR-4624")


class Remove(WithRegistry):
    def test_forgets_section_and_trust(self):
        self.home.write_settings(settings_of_nothing())
        before = self.home.state()
        self.registry.added_by(self.curupira)
        removed = self.curupira("registry", "remove", "acme").expect(0)
        self.assertIn("not trusted any more", removed.stdout)
        self.assert_nothing_left(before)
        self.curupira("registry", "remove", "acme").expect_error("CUR-4901", code=2)

    def test_only_that_section(self):
        """What stands around it stays to the byte, also text that looks like the head of a section."""
        around = '# one\n[registries.acmes]\nurl = "x" # [registries.acme]\n\n'
        section = '  [registries."acme"] # ours\n# the address\nurl = "y"\nmirrors = [\n  "z",\n  "[w]",\n]\n'
        behind = '\n# three\n[environment.vars]\nTEXT = """\n[registries.acme]\n"""\n'
        self.home.write_settings(around + section + behind)
        self.curupira("registry", "remove", "acme").expect(0)
        self.assertEqual(self.settings.read_text(), around + behind.removeprefix("\n"))

    def test_written_in_another_way(self):
        self.home.write_settings('registries.acme.url = "x"\n')
        before = self.home.state()
        self.curupira("registry", "remove", "acme").expect_error("CUR-1203", "by hand", code=2)
        self.assert_nothing_left(before)

    def test_trust_without_a_section(self):
        self.registry.added_by(self.curupira)
        self.settings.unlink()
        self.curupira("registry", "remove", "acme").expect(0)
        self.assert_nothing_left()

    def test_json(self):
        self.registry.added_by(self.curupira)
        removed = json.loads(self.curupira("registry", "remove", "acme", "--json").expect(0).stdout)
        self.assertEqual(removed["schema"], "curupira.registry.remove.v1")
        self.assertEqual((removed["sectionRemoved"], removed["trustRemoved"], removed["locked"]), (True, True, []))


if __name__ == "__main__":
    main()
