"""Extensions from a curupira registry: what `plugins install NAME:package` brings, bare names, and the policy."""

import json
import unittest

from curupira_testing import main
from curupira_testing.own_registry import OwnRegistry
from curupira_testing.registry_user import RegistryUser, receipt, registry_table, use_registries


class Install(RegistryUser, unittest.TestCase):
    def test_the_newest_release(self):
        self.install("corp:tickets").expect(0)
        self.assertEqual(self.version(), "1.1.0")
        self.assertEqual(receipt(self.home, "tickets")["source"], "curupira:corp")
        command = json.loads(self.curupira("plugins", "info", "tickets", "--json").expect(0).stdout)["command"]
        self.assertTrue(command)

    def test_ranges_and_versions(self):
        for reference, version in (
            ("corp:tickets@1.0.0", "1.0.0"),
            ("corp:tickets@^1", "1.1.0"),
            ("corp:tickets@<1.1", "1.0.0"),
            ("corp:tickets@2.0.0-rc.1", "2.0.0-rc.1"),
        ):
            with self.subTest(reference):
                self.install(reference).expect(0)
                self.assertEqual(self.version(), version)

    def test_below_a_scope(self):
        self.registry("publish", self.registry.extension("notes"), "--scope", "acme").expect(0)
        self.install("corp:@acme/notes@1.0.0").expect(0)
        self.assertEqual(receipt(self.home, "notes")["package"], "@acme/notes")

    def test_what_is_not_there(self):
        self.refused("corp:nothing", "CUR-4910", "nothing")
        self.refused("corp:tickets@^7", "CUR-4910", "corp:tickets@^7", "1.1.0")

    def test_a_registry_that_nobody_set_up(self):
        self.refused("crop:tickets", "CUR-4901", "did you mean corp:", code=2)
        self.refused("nmp:left-pad", "CUR-4901", "did you mean npm:", code=2)

    def test_its_level_and_who_vouches(self):
        self.install("corp:tickets").expect(0)
        (artifact,) = receipt(self.home, "tickets")["artifacts"]
        self.assertEqual(artifact["level"], "registry-signed")
        self.assertEqual(artifact["location"], "tickets-1.1.0.tar.gz")

    def test_a_publisher_of_its_own(self):
        self.registry("delegate", "acme-*", "--public-key", self.key("acme").with_suffix(".pub")).expect(0)
        self.registry("publish", self.registry.extension("acme-notes"), "--key", self.key("acme")).expect(0)
        self.install("corp:acme-notes").expect(0)
        (artifact,) = receipt(self.home, "acme-notes")["artifacts"]
        self.assertEqual(artifact["level"], "publisher-signed")
        shown = self.curupira("plugins", "verify", "--explain", "acme-notes").expect(0).stdout
        self.assertIn("publisher-signed", shown)
        self.assertRegex(shown, r"role +acme version 1, 1 key needed, signed by [0-9a-f]{64}")

    def key(self, name: str):
        file = self.home.work / f"{name}.pem"
        if not file.exists():
            self.curupira("registry", "keys", "new", file).expect(0)
        return file


class BareNames(RegistryUser, unittest.TestCase):
    def test_one_registry_has_it(self):
        self.install("tickets").expect(0)
        self.assertEqual(receipt(self.home, "tickets")["reference"], "corp:tickets")
        self.install("tickets@1.0.0").expect(0)
        self.assertEqual(receipt(self.home, "tickets")["reference"], "corp:tickets@1.0.0")

    def test_two_registries_have_it(self):
        other = OwnRegistry(self.home, name="other")
        other.publish("tickets", "3.0.0")
        use_registries(self.home, corp=self.registry, lab=other)
        self.refused("tickets", "CUR-4906", "corp, lab", "corp:tickets", code=2)
        self.install("lab:tickets").expect(0)
        self.assertEqual(self.version(), "3.0.0")

    def test_none_has_it(self):
        self.refused("nothing", "CUR-4910", "corp", "npm:nothing")

    def test_without_registries_it_is_no_reference(self):
        self.home.write_settings("")
        self.refused("tickets", "CUR-1301", "npm:NAME@RANGE", code=2)

    def test_silence_of_one_registry_is_not_passed_over(self):
        """A name belongs to one registry: who does not answer may have it, too."""
        table = registry_table("gone", self.home.work / "gone", self.registry.fingerprint)
        use_registries(self.home, corp=self.registry, extra=table)
        refused = self.install("tickets")
        self.assertNotEqual(refused.code, 0)
        self.assertIn("gone", refused.stderr)
        self.assertEqual(self.home.installed(), [])


class NamesOfRegistries(RegistryUser, unittest.TestCase):
    def test_a_package_stays_with_its_registry(self):
        other = OwnRegistry(self.home, name="other")
        other.publish("tickets", "3.0.0")
        use_registries(self.home, corp=self.registry, lab=other)
        self.install("corp:tickets").expect(0)
        self.install("lab:tickets").expect_error("CUR-4003", "corp:tickets", "lab:tickets", code=1)
        self.assertEqual(self.version(), "1.1.0")


class Policy(RegistryUser, unittest.TestCase):
    def test_rules_name_registries(self):
        use_registries(self.home, corp=self.registry, extra='[policy]\nallow = ["corp:acme-*"]\n')
        self.refused("corp:tickets", "CUR-4501", "corp:tickets")
        use_registries(self.home, corp=self.registry, extra='[policy]\nallow = ["corp:*"]\n')
        self.install("corp:tickets").expect(0)
        tested = self.curupira("policy", "test", "corp:tickets", "npm:x")
        self.assertIn("corp:tickets: allowed", tested.stdout)
        self.assertIn("npm:x: refused", tested.stdout)

    def test_least_level(self):
        rule = '[[policy.verification]]\npackages = ["corp:*"]\nminimum_level = "publisher-signed"\n'
        use_registries(self.home, corp=self.registry, extra=rule)
        self.refused("corp:tickets", "CUR-4502", "registry-signed")

    def test_release_age(self):
        use_registries(self.home, corp=self.registry, extra='[policy]\nminimum_release_age = "3d"\n')
        self.refused("corp:tickets", "CUR-4506", "corp:tickets@1.1.0")

    def test_a_slip_of_the_pen_is_no_rule(self):
        use_registries(self.home, corp=self.registry, extra='[policy]\ndeny = ["nmp:left-pad"]\n')
        self.refused("corp:tickets", "CUR-1203", "nmp:left-pad", code=2)

if __name__ == "__main__":
    main()
