"""`registry add`: whose root is trusted, and what is written into the settings."""

import json
import os

from curupira_testing import main
from curupira_testing.own_registry import OwnRegistry, StaticServer
from curupira_testing.registry_adopter import WRONG_FINGERPRINT, RegistryAdopter
from curupira_testing.settings import settings_of_nothing

class Add(RegistryAdopter):
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
        self.assertEqual([each["url"] for each in self.listed()], [str(self.registry.folder)])

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


class Confirmation(RegistryAdopter):
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
        self.assertEqual(self.listed()[0]["fingerprint"], self.registry.fingerprint)

    def test_another_root(self):
        refused = self.add(self.registry.folder, fingerprint=WRONG_FINGERPRINT)
        refused.expect_error("CUR-4905", f"expected {WRONG_FINGERPRINT}", f"found    {self.registry.fingerprint}")
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
        self.assertEqual(self.listed()[0]["rootVersion"], 1)

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
                self.add(address, fingerprint=WRONG_FINGERPRINT).expect(1)
        self.assert_nothing_left()


class Names(RegistryAdopter):
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
        self.assertEqual({each["name"] for each in self.listed()}, set(names))


class Addresses(RegistryAdopter):
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
                refused = self.add(address, fingerprint=WRONG_FINGERPRINT).expect(2)
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


if __name__ == "__main__":
    main()
