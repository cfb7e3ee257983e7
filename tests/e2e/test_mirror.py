"""`registry mirror`: the plan, what is written, and what is added later. Real servers and clients are in
integration/test_mirror_npm.py and test_mirror_python.py."""

import json

from curupira_testing import Program, TempHome, main
from curupira_testing.mirror import TARBALL, Mirror, WithMirror
from curupira_testing.own_registry import StaticServer
from curupira_testing.packages import acme_archive, manifest_text, pack, sha256
from curupira_testing.settings import settings_of_nothing
from curupira_testing.signed_npm import NAME, WithSigningRegistry
from curupira_testing.signing_registry import hello_files


class Plan(WithSigningRegistry):
    def setUp(self):
        super().setUp()
        self.registry.publish(NAME)
        self.mirror = Mirror(self.curupira)

    def test_dry_run_shows_and_makes_nothing(self):
        shown = self.mirror.run(f"npm:{NAME}", "--url", self.mirror.url, "--dry-run").expect(0)
        self.assertIn(f"+ npm:{NAME}@1.0.0", shown.stdout)
        self.assertIn("Adds 1 npm package; 1 file whose size is known when it is here", shown.stdout)
        self.assertFalse(self.mirror.folder.exists())
        self.assertFalse(self.mirror.keys.exists())
        self.assertNotIn(f"/{NAME}/-/hello-1.0.0.tgz", self.registry.asked)

    def test_without_an_answer_nothing_is_made(self):
        self.mirror.run(f"npm:{NAME}", "--url", self.mirror.url).expect_error("CUR-1003", code=2)
        self.assertFalse(self.mirror.folder.exists())

    def test_a_person_is_asked(self):
        self.mirror.made()
        words = ("registry", "mirror", self.mirror.folder, f"npm:{NAME}", "--url", self.mirror.url)
        refused = self.curupira.on_terminal(*words, answers=[("Mirror? ", "n\n")])
        self.assertNotEqual(refused.code, 0)
        self.assertEqual(self.mirror.files(), [])
        agreed = self.curupira.on_terminal(*words, answers=[("Mirror? ", "y\n")]).expect(0)
        self.assertIn("Mirrored 1 npm package", agreed.stdout)

    def test_the_first_run_makes_the_registry_and_says_so(self):
        made = self.mirror.add(f"npm:{NAME}").expect(0)
        self.assertIn("Made the registry", made.stdout)
        self.assertIn("never serve this folder", made.stdout)
        self.assertIn("fingerprint  sha256:", made.stdout)
        self.assertEqual(self.mirror.keys.stat().st_mode & 0o777, 0o700)
        self.assertTrue(self.mirror.verify()["sound"])

    def test_json(self):
        arguments = (f"npm:{NAME}", "--url", self.mirror.url, "--yes", "--json")
        document = json.loads(self.mirror.run(*arguments).expect(0).stdout)
        self.assertEqual(document["schema"], "curupira.registry.mirror.v1")
        self.assertTrue(document["done"])
        self.assertTrue(document["revision"]["visible"])
        (addition,) = document["plan"]["additions"]
        self.assertEqual((addition["path"], addition["kind"], addition["size"]), (TARBALL, "tarball", None))
        again = json.loads(self.mirror.run(f"npm:{NAME}", "--yes", "--json").expect(0).stdout)
        self.assertEqual((again["done"], again["plan"]["additions"], again["revision"]), (False, [], None))

    def test_npm_packages_need_the_address_of_the_folder(self):
        self.mirror.run(f"npm:{NAME}", "--yes").expect_error("CUR-1001", "--url https://", code=2)
        self.assertFalse(self.mirror.folder.exists())
        self.assertEqual(self.registry.asked, [], "it is said before anybody is asked")

    def test_what_has_no_address_is_refused(self):
        archive = acme_archive(self.home.work)
        for reference in ("path:.", str(archive)):
            with self.subTest(reference):
                self.mirror.run(reference, "--yes").expect_error("CUR-4922", reference.split("/")[-1], code=2)
        self.assertFalse(self.mirror.folder.exists())

    def test_nothing_to_mirror(self):
        self.mirror.run("--yes").expect_error("CUR-1001", "--lock", "--update", code=2)

    def test_a_folder_with_something_else(self):
        self.mirror.folder.mkdir()
        (self.mirror.folder / "letters.txt").write_text("dear")
        self.mirror.add(f"npm:{NAME}").expect_error("CUR-4802", "letters.txt", code=2)
        self.assertEqual(self.registry.asked, [])


class Npm(WithMirror):
    def test_the_packument(self):
        self.registry.publish(NAME, "0.9.0", license="MIT", scripts={"postinstall": "node x.js"}, engines={"node": ">=18"})
        del self.registry.packages[NAME]["1.0.0"]
        self.registry.publish(NAME)
        self.add(f"npm:{NAME}@0.9.0", f"npm:{NAME}").expect(0)
        packument = self.mirror.packument(NAME)
        upstream = self.registry.packages[NAME]
        self.assertEqual(list(packument["versions"]), ["0.9.0", "1.0.0"])
        old = packument["versions"]["0.9.0"]
        self.assertEqual((old["license"], old["engines"], old["hasInstallScript"]), ("MIT", {"node": ">=18"}, True))
        for version, release in packument["versions"].items():
            dist = release["dist"]
            self.assertEqual(dist["tarball"], f"https://mirror.example.org/npm/{NAME}/-/hello-{version}.tgz")
            self.assertEqual(dist["integrity"], upstream[version].dist["integrity"])
            self.assertEqual(dist["signatures"], upstream[version].dist["signatures"])
            self.assertEqual(packument["time"][version], upstream[version].published)
        self.assertEqual(packument["dist-tags"], {"latest": "1.0.0"})
        self.assertEqual([key["keyid"] for key in self.mirror.npm_keys()], [self.registry.key.id])
        self.assertEqual((self.mirror.folder / TARBALL).read_bytes(), upstream["1.0.0"].tarball)

    def test_latest_means_a_mirrored_version(self):
        self.registry.publish(NAME, "1.5.0")
        self.registry.publish(NAME, "2.0.0")
        self.add(f"npm:{NAME}@^1").expect(0)
        self.assertEqual(self.mirror.packument(NAME)["dist-tags"], {"latest": "1.5.0"})

    def test_a_second_run_asks_nobody(self):
        """hashicorp/terraform#37557: to the network although everything is there."""
        self.add(f"npm:{NAME}").expect(0)
        before, asked = self.mirror.state(), list(self.registry.asked)
        again = self.mirror.run(f"npm:{NAME}").expect(0)
        self.assertIn("Nothing to do: all of it is mirrored already", again.stdout)
        self.assertEqual(self.registry.asked, asked)
        self.assertEqual(self.mirror.state(), before)

    def test_another_package_joins(self):
        self.registry.publish("curupira-plain", files=hello_files("curupira-plain", "1.0.0"))
        self.add(f"npm:{NAME}").expect(0)
        self.add("npm:curupira-plain").expect(0)
        self.assertEqual(self.registry.asked.count(f"/{NAME}/-/hello-1.0.0.tgz"), 1)
        self.assertIn(TARBALL, self.mirror.files())
        self.assertIn("npm/curupira-plain/index.html", self.mirror.files())
        self.assertEqual(self.mirror.verify()["mirrored"], 5)

    def test_update_adds_what_the_range_allows_and_keeps_the_rest(self):
        self.add(f"npm:{NAME}@^1").expect(0)
        self.registry.publish(NAME, "1.1.0")
        self.registry.publish(NAME, "2.0.0")
        self.assertIn("Nothing to do", self.add(f"npm:{NAME}@^1").expect(0).stdout)
        updated = self.add("--update").expect(0)
        self.assertIn(f"+ npm:{NAME}@1.1.0", updated.stdout)
        self.assertEqual(list(self.mirror.packument(NAME)["versions"]), ["1.0.0", "1.1.0"])
        self.assertIn("Nothing to do", self.add("--update").expect(0).stdout)

    def test_update_brings_what_the_registry_says_now(self):
        """astral-sh/uv#19112: a release that was taken back is used silently."""
        self.add(f"npm:{NAME}").expect(0)
        self.registry.packages[NAME]["1.0.0"].package["deprecated"] = "leaks tokens"
        updated = self.add("--update").expect(0)
        self.assertIn("1 page to write anew", updated.stdout)
        self.assertEqual(self.mirror.packument(NAME)["versions"]["1.0.0"]["deprecated"], "leaks tokens")

    def test_update_goes_on_where_one_reference_means_nothing_any_more(self):
        self.registry.publish("curupira-plain", files=hello_files("curupira-plain", "1.0.0"))
        self.add(f"npm:{NAME}@^1", "npm:curupira-plain").expect(0)
        self.registry.publish(NAME, "1.1.0")
        del self.registry.packages["curupira-plain"]
        updated = self.add("--update").expect(0)
        self.assertIn("npm:curupira-plain stays as it is", updated.stderr)
        self.assertIn(f"+ npm:{NAME}@1.1.0", updated.stdout)
        self.assertEqual(self.mirror.problems(), [])

    def test_a_version_that_its_author_removed_stays(self):
        self.add(f"npm:{NAME}").expect(0)
        self.registry.publish(NAME, "1.1.0")
        del self.registry.packages[NAME]["1.0.0"]
        self.add("--update").expect(0)
        self.assertEqual(list(self.mirror.packument(NAME)["versions"]), ["1.0.0", "1.1.0"])

    def test_another_address(self):
        self.add(f"npm:{NAME}").expect(0)
        asked = list(self.registry.asked)
        self.mirror.run("--url", "http://127.0.0.1:1234/a", "--yes").expect(0)
        dist = self.mirror.packument(NAME)["versions"]["1.0.0"]["dist"]
        self.assertEqual(dist["tarball"], f"http://127.0.0.1:1234/a/npm/{NAME}/-/hello-1.0.0.tgz")
        self.assertEqual(self.registry.asked, asked)
        self.assertTrue(self.mirror.verify()["sound"])

    def test_installed_from_the_mirror_with_the_first_registry_s_signature(self):
        served = StaticServer.of(self, self.mirror.folder)
        self.mirror.url = served.url
        self.add(f"npm:{NAME}").expect(0)
        self.registry.refuse = {path: 500 for path in self.registry.asked}
        with TempHome() as self.home:
            (self.home.path / ".npmrc").write_text(f"registry={served.url}npm/\n")
            self.curupira = Program(self.home)
            self.install().expect(0)
            self.assertEqual(self.artifacts()[NAME]["level"], "registry-signed")

    def test_a_key_that_expired_later_still_counts(self):
        served = StaticServer.of(self, self.mirror.folder)
        self.mirror.url = served.url
        self.registry.key.expires = "2026-01-29T00:00:00.000Z"
        self.add(f"npm:{NAME}").expect(0)
        with TempHome() as self.home:
            (self.home.path / ".npmrc").write_text(f"registry={served.url}npm/\n")
            self.curupira = Program(self.home)
            self.install().expect(0)
            self.assertEqual(self.artifacts()[NAME]["level"], "registry-signed")


class Signed(WithMirror):
    def test_one_revision_by_the_online_key(self):
        before = self.mirror.versions()
        self.add(f"npm:{NAME}").expect(0)
        first = self.mirror.versions()
        self.assertEqual({role for role in first if first[role] != before.get(role)}, {"mirror", "targets"})
        self.mirror.take_away("targets", "root-1")
        self.registry.publish(NAME, "1.1.0")
        self.add("--update").expect(0)
        second = self.mirror.versions()
        self.assertEqual({role for role in second if second[role] != first[role]}, {"mirror"})

    def test_without_the_online_key_nothing_is_fetched(self):
        self.add(f"npm:{NAME}").expect(0)
        self.registry.publish(NAME, "1.1.0")
        self.mirror.take_away("online")
        self.add("--update").expect_error("CUR-4804", "mirror")
        self.assertNotIn(f"/{NAME}/-/hello-1.1.0.tgz", self.registry.asked)

    def test_verify_finds_every_kind_of_change(self):
        self.add(f"npm:{NAME}").expect(0)
        self.assertEqual(self.mirror.problems(), [])
        for path in (TARBALL, f"npm/{NAME}/index.html", "npm/-/npm/v1/keys"):
            with self.subTest(path):
                file = self.mirror.folder / path
                good = file.read_bytes()
                file.write_bytes(good[:-1] + b"!")
                self.assertEqual(self.mirror.problems(), [path])
                file.unlink()
                self.assertEqual(self.mirror.problems(), [path])
                file.write_bytes(good)

    def test_verify_finds_a_page_that_nobody_signed(self):
        self.add(f"npm:{NAME}").expect(0)
        planted = self.mirror.folder / "npm" / "evil" / "index.html"
        planted.parent.mkdir()
        planted.write_text("{}")
        self.assertEqual(self.mirror.problems(), ["npm/evil/index.html"])

    def test_the_same_command_brings_back_what_is_gone(self):
        self.add(f"npm:{NAME}").expect(0)
        for path in (TARBALL, f"npm/{NAME}/index.html"):
            with self.subTest(path):
                (self.mirror.folder / path).unlink()
                self.add(f"npm:{NAME}").expect(0)
                self.assertEqual(self.mirror.problems(), [])

    def test_the_online_key_is_replaced(self):
        self.add(f"npm:{NAME}").expect(0)
        self.mirror("keys rotate", "online").expect(0)
        self.assertEqual(self.mirror.problems(), [])
        self.registry.publish(NAME, "1.1.0")
        self.add("--update").expect(0)
        self.assertEqual(self.mirror.problems(), [])

    def test_packages_of_the_registry_s_own_are_published_beside_it(self):
        self.add(f"npm:{NAME}").expect(0)
        self.mirror.extensions = self.home.work / "extensions"
        self.mirror.publish("acme-own")
        self.mirror("refresh").expect(0)
        self.assertEqual(self.mirror.problems(), [])
        self.assertEqual(self.mirror.verify()["packages"], 1)


class Archives(WithMirror):
    def setUp(self):
        super().setUp()
        self.files = self.home.work / "vendor"
        self.files.mkdir()
        self.archive = acme_archive(self.files, "tar.gz")
        self.digest = sha256(self.archive.read_bytes())
        self.vendor = StaticServer.of(self, self.files)
        self.reference = f"{self.vendor.url}{self.archive.name}#sha256={self.digest}"

    def test_by_digest(self):
        self.mirror.run(self.reference, "--yes").expect(0)
        path = f"archives/{self.digest}/{self.archive.name}"
        self.assertEqual(self.mirror.files(), [path])
        (signed,) = self.mirror.signed_index()["files"]
        self.assertEqual((signed["path"], signed["origin"]), (path, f"{self.vendor.url}{self.archive.name}"))
        served = StaticServer.of(self, self.mirror.folder)
        self.curupira("plugins", "install", f"{served.url}{path}#sha256={self.digest}", "--yes").expect(0)
        self.assertEqual(self.home.installed(), ["acme-ext"])

    def test_with_what_its_launch_table_names(self):
        """For every platform, and with the packages that it starts."""
        program = self.files / "tool"
        program.write_bytes(b"#!/bin/sh\n")
        tool = f'url = "{self.vendor.url}tool"\nsha256 = "{sha256(program.read_bytes())}"\nsize = 10\n'
        tables = "".join(f"\n[launch.platforms.{system}]\n{tool}" for system in ("linux-x86_64", "darwin-aarch64"))
        binary = self.pack("acme-binary", f'type = "binary"\n{tables}')
        starts = self.pack("acme-starts", f'type = "npx"\npackage = "{NAME}"', runtime='"node"')
        systems = ("--platform", "linux-x86_64", "--platform", "darwin-aarch64")
        self.add(binary, starts, *systems).expect(0)
        files = self.mirror.files()
        self.assertIn(f"archives/{sha256(program.read_bytes())}/tool", files)
        self.assertIn(TARBALL, files)
        self.assertEqual(self.mirror.problems(), [])

    def pack(self, name: str, launch: str, **fields) -> str:
        archive = self.files / f"{name}-1.0.0.tar.gz"
        manifest = manifest_text(name, launch=launch, **fields)
        archive.write_bytes(pack({f"{name}/curupira-extension.toml": manifest.encode()}, "tar.gz"))
        return f"{self.vendor.url}{archive.name}#sha256={sha256(archive.read_bytes())}"

    def test_of_a_lock_file_with_all_that_it_names(self):
        settings = self.home.write_settings(settings_of_nothing())
        lock = settings.parent / "curupira.lock"
        self.curupira("plugins", "install", self.reference, f"npm:{NAME}", "--yes").expect(0)
        self.add("--lock", lock).expect(0)
        self.assertIn(f"archives/{self.digest}/{self.archive.name}", self.mirror.files())
        self.assertIn(TARBALL, self.mirror.files())
        asked = list(self.registry.asked)
        self.assertIn("Nothing to do", self.mirror.run("--lock", lock).expect(0).stdout)
        self.assertEqual(self.registry.asked, asked)

    def test_another_archive_than_the_digest_says(self):
        self.archive.write_bytes(self.archive.read_bytes() + b"!")
        self.mirror.run(self.reference, "--yes").expect_error("CUR-2104", self.archive.name, "expected", "found")
        self.assertEqual(self.mirror.files(), [])


if __name__ == "__main__":
    main()
