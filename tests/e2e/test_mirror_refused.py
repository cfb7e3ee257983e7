"""`registry mirror`: what hostile registries cannot bring into a mirror, and what a stopped run leaves."""

import json

from curupira_testing import main
from curupira_testing.lying_server import LyingServer
from curupira_testing.mirror import TARBALL, WithMirror
from curupira_testing.services import wait_until
from curupira_testing.signed_npm import NAME
from curupira_testing.signing_registry import hello_files


class Hostile(WithMirror):
    def test_a_tarball_that_is_not_the_promised_one(self):
        self.registry.packages[NAME]["1.0.0"].tarball += b"!"
        self.add(f"npm:{NAME}").expect_error("CUR-2104", "expected", "found")
        self.assertEqual(self.mirror.files(), [])
        self.assertTrue(self.mirror.verify()["sound"])

    def test_a_signature_of_somebody_else(self):
        self.registry.packages[NAME]["1.0.0"].dist["signatures"][0]["sig"] = self.registry.key.sign("other")
        self.add(f"npm:{NAME}").expect_error("CUR-2107", NAME)
        self.assertEqual(self.mirror.files(), [])

    def test_a_published_version_with_other_bytes(self):
        self.add(f"npm:{NAME}").expect(0)
        before = self.mirror.state()
        self.registry.change_bytes(NAME)
        self.add("--update").expect_error("CUR-2104", TARBALL, "is mirrored with")
        self.assertEqual(self.mirror.state(), before)

    def test_a_packument_that_speaks_of_another_package(self):
        for name in ("curupira-other", "../../../../evil"):
            with self.subTest(name):
                self.registry.packages[NAME]["1.0.0"].package["name"] = name
                self.add(f"npm:{NAME}").expect_error("CUR-1310", "another package")
                self.assertEqual(self.mirror.files(), [])

    def test_the_two_forms_of_a_packument_disagree(self):
        """What is resolved with one is not described by the other."""
        release = self.registry.packages[NAME]["1.0.0"]
        other = self.registry.publish("curupira-other").dist["integrity"]
        whole = self.registry._packument

        def told(name: str, releases: dict, abbreviated: bool) -> dict:
            text = json.dumps(whole(name, releases, abbreviated))
            return json.loads(text if abbreviated else text.replace(release.dist["integrity"], other))

        self.registry._packument = told
        self.add(f"npm:{NAME}").expect_error("CUR-2104", NAME)
        self.assertEqual(self.mirror.files(), [])

    def test_text_of_others_is_no_html(self):
        text = "<script>alert(1)</script><!-- &"
        self.registry.packages[NAME]["1.0.0"].package["description"] = text
        self.add(f"npm:{NAME}").expect(0)
        page = (self.mirror.folder / "npm" / NAME / "index.html").read_text()
        self.assertNotIn("<", page)
        self.assertEqual(self.mirror.packument(NAME)["versions"]["1.0.0"]["description"], text)


class Stopped(WithMirror):
    def test_killed_while_it_fetches(self):
        """What is here is not fetched again; until then the mirror is what it was."""
        lying = LyingServer.of(self)
        names = [f"curupira-p{number}" for number in range(8)]
        for name in [*names, "curupira-z"]:
            self.registry.publish(name, files=hello_files(name, "1.0.0"))
        last = self.registry.packages["curupira-z"]["1.0.0"]
        lying.body, last.dist["tarball"] = last.tarball, lying.url("stall", "z.tgz")
        self.add(f"npm:{NAME}").expect(0)
        before = self.mirror.signed_index()
        references = [f"npm:{name}" for name in (*names, "curupira-z")]
        child = self.curupira.start("registry", "mirror", self.mirror.folder, *references, "--yes")
        wait_until("the last one is fetched", lambda: lying.asked)
        child.kill()
        child.communicate(timeout=30)
        self.assertEqual(self.mirror.signed_index(), before)
        self.assertEqual(self.mirror.problems(), [])
        del last.dist["tarball"]
        asked = len(self.registry.asked)
        done = self.add(*references).expect(0)
        self.assertIn("8 files are here from an earlier run", done.stdout)
        fetched = [path for path in self.registry.asked[asked:] if path.endswith(".tgz")]
        self.assertEqual(fetched, ["/curupira-z/-/curupira-z-1.0.0.tgz"])
        self.assertEqual(self.mirror.problems(), [])

    def test_what_cannot_be_had_keeps_nothing_else_away(self):
        for name in ("curupira-a", "curupira-b"):
            self.registry.publish(name, files=hello_files(name, "1.0.0"))
        gone = "/curupira-a/-/curupira-a-1.0.0.tgz"
        self.registry.refuse[gone] = 404
        failed = self.add("npm:curupira-a", "npm:curupira-b").expect_error("CUR-4921", "1 of 2 files")
        self.assertIn("npm/curupira-a/-/curupira-a-1.0.0.tgz is missing", failed.stderr)
        del self.registry.refuse[gone]
        asked = len(self.registry.asked)
        self.add("npm:curupira-a", "npm:curupira-b").expect(0)
        self.assertEqual([path for path in self.registry.asked[asked:] if path.endswith(".tgz")], [gone])
        self.assertTrue(self.mirror.verify()["sound"])


if __name__ == "__main__":
    main()
