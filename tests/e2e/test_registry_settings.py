"""`[registries.NAME]` that somebody wrote, `registry list`, and `registry remove`."""

import json

from curupira_testing import main
from curupira_testing.own_registry import OwnRegistry, StaticServer
from curupira_testing.registry_adopter import WRONG_FINGERPRINT, RegistryAdopter
from curupira_testing.settings import settings_of_nothing


class Settings(RegistryAdopter):
    """A team's file in git pins the root for everybody."""

    def write(self, **fields: object) -> None:
        lines = "".join(f"{key} = {json.dumps(value)}\n" for key, value in fields.items())
        self.home.write_settings(f"[registries.acme]\n{lines}")

    def test_the_first_use_trusts_the_root_of_the_fingerprint(self):
        self.registry.publish("tickets")
        self.write(url=str(self.registry.folder), root_fingerprint=self.registry.fingerprint)
        self.assertFalse(self.listed()[0]["trusted"])
        self.assertIn("acme:tickets", self.search("tickets").expect(0).stdout)
        self.assertTrue(self.listed()[0]["trusted"])

    def test_another_root_than_the_one_of_the_fingerprint(self):
        self.write(url=str(self.registry.folder), root_fingerprint=WRONG_FINGERPRINT)
        before = self.home.state()
        self.search("tickets").expect_error("CUR-4905", self.registry.fingerprint)
        self.assert_nothing_left(before)

    def test_no_fingerprint_and_no_trust(self):
        self.write(url=str(self.registry.folder))
        before = self.home.state()
        self.search("tickets").expect_error("CUR-4904", "registry add acme")
        self.assert_nothing_left(before)

    def test_other_settings_that_use_the_name_for_another_registry(self):
        self.registry.added_by(self.curupira)
        other = OwnRegistry(self.home, name="other")
        self.write(url=str(other.folder), root_fingerprint=other.fingerprint)
        self.search("tickets").expect_error("CUR-4905", self.registry.fingerprint, other.fingerprint, "registry remove acme")
        # Without a fingerprint the trusted root decides, whatever the address is.
        self.write(url=str(other.folder))
        self.search("tickets").expect(1)

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
            ('url = "x"\nroot_fingerprnt = "sha256:5"', "3:1"),
        ):
            with self.subTest(field):
                self.home.write_settings(f"[registries.acme]\n{field}\n")
                self.search("tickets").expect_error("CUR-1203", f"{self.settings}:{position}", code=2)
        self.home.write_settings('[registries.npm]\nurl = "x"\n')
        self.search("tickets").expect_error("CUR-4902", f"{self.settings}:1:13", code=2)

    def test_a_wrong_address_is_not_repeated(self):
        self.home.write_settings('[registries.acme]\nurl = "https://anna:s3cret@example.org/\\u001b"\n')
        self.assertNotIn("s3cret", self.search("tickets").expect(2).stderr)

    def test_a_trust_folder_that_is_a_link(self):
        self.registry.added_by(self.curupira)
        elsewhere = self.home.work / "elsewhere"
        (self.trust / "acme").rename(elsewhere)
        (self.trust / "acme").symlink_to(elsewhere)
        self.search("tickets").expect_error("CUR-4624", "registry remove acme")
        self.curupira("registry", "remove", "acme").expect(0)
        self.assertFalse((self.trust / "acme").is_symlink())
        self.assertTrue((elsewhere / "root.json").exists())


class List(RegistryAdopter):
    def test_none(self):
        self.assertIn("registry add", self.curupira("registry", "list").expect(0).stdout)

    def test_what_is_trusted_and_until_when(self):
        self.registry.added_by(self.curupira)
        shown = self.curupira("registry", "list").expect(0).stdout
        expires = self.registry.signed("timestamp")["expires"]
        for line in (f"address      {self.registry.folder}", self.registry.fingerprint, "version 1", f"expires on {expires}"):
            self.assertIn(line, shown)
        (listed,) = self.listed()
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
        self.assertEqual(self.listed()[0]["error"]["code"], "CUR-4624")


class Remove(RegistryAdopter):
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

    def test_what_is_locked_from_it_is_named(self):
        self.registry.publish("tickets")
        self.registry.added_by(self.curupira)
        self.curupira("plugins", "install", "acme:tickets", "--yes").expect(0)
        removed = self.curupira("registry", "remove", "acme", "--json").expect(0)
        self.assertEqual(json.loads(removed.stdout)["locked"], ["tickets"])
        self.assertIn("tickets", removed.stderr)
        self.assertIn("tickets", self.curupira("plugins", "list").expect(0).stdout)

    def test_json(self):
        self.registry.added_by(self.curupira)
        removed = json.loads(self.curupira("registry", "remove", "acme", "--json").expect(0).stdout)
        self.assertEqual(removed["schema"], "curupira.registry.remove.v1")
        self.assertEqual((removed["sectionRemoved"], removed["trustRemoved"], removed["locked"]), (True, True, []))


if __name__ == "__main__":
    main()
