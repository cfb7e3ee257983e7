"""`plugins search`: what is found, what is read for it, and what is left when nobody can be asked."""

import json

from curupira_testing import main, skip
from curupira_testing.own_registry import OwnRegistry, StaticServer
from curupira_testing.registry_adopter import RegistryAdopter


class Searching(RegistryAdopter):
    def serve(self, name: str = "acme") -> StaticServer:
        """From now on the user has the registry from a web server."""
        server = StaticServer.of(self, self.registry.folder)
        self.registry.added_by(self.curupira, name, server.url)
        server.asked.clear()
        return server


class Found(Searching):
    def setUp(self):
        super().setUp()
        self.registry.publish("tickets", "1.0.0", "--summary", "Reads a tracker's Queue")
        self.registry.publish("mails", "2.0.0", "--scope", "team", "--summary", "Reads a mailbox")
        self.registry.publish("mails", "2.1.0", "--scope", "team", "--summary", "Reads a mailbox")
        self.registry("refresh").expect(0)
        self.registry.added_by(self.curupira)

    def test_by_name_summary_and_trigger(self):
        for word, references in (
            ("ticket", ["acme:tickets"]),
            ("@team/", ["acme:@team/mails"]),
            ("mailbox", ["acme:@team/mails"]),
            ("greetings", ["acme:@team/mails", "acme:tickets"]),
            ("reads", ["acme:@team/mails", "acme:tickets"]),
            ("nothing", []),
        ):
            with self.subTest(word):
                self.assertEqual(self.found(word), references)

    def test_whatever_the_case(self):
        self.assertEqual(self.found("TICKETS"), ["acme:tickets"])
        self.assertEqual(self.found("queue"), ["acme:tickets"])

    def test_all_the_words(self):
        self.assertEqual(self.found("reads", "mailbox"), ["acme:@team/mails"])
        self.assertEqual(self.found("mailbox", "queue"), [])

    def test_as_a_table(self):
        self.assertEqual(
            self.search("reads").expect(0).stdout,
            "acme:@team/mails  2.1.0  Reads a mailbox\nacme:tickets      1.0.0  Reads a tracker's Queue\n",
        )

    def test_as_json(self):
        document = json.loads(self.search("tickets", "--json").expect(0).stdout)
        self.assertEqual(
            document,
            {
                "schema": "curupira.plugins.search.v1",
                "packages": [
                    {
                        "registry": "acme",
                        "name": "tickets",
                        "reference": "acme:tickets",
                        "version": "1.0.0",
                        "summary": "Reads a tracker's Queue",
                        "triggers": ["greetings", "silence"],
                        "yanked": [],
                    }
                ],
                "failed": [],
            },
        )

    def test_nothing(self):
        nothing = self.search("zebra").expect(0)
        self.assertEqual(nothing.stdout, "")
        self.assertIn("Nothing", nothing.stderr)

    def test_all_versions_taken_back(self):
        self.registry("yank", "tickets", "1.0.0", "--reason", "loses tickets").expect(0)
        self.assertIn("taken back", self.search("tickets").expect(0).stdout)

    def test_a_summary_cannot_drive_the_terminal(self):
        self.registry.publish("evil", "1.0.0", "--summary", "\x1b[2Jtickets \u202e")
        shown = self.search("evil").expect(0).stdout
        self.assertIn(r"\x1b[2Jtickets \u{202e}", shown)


class Several(Searching):
    def setUp(self):
        super().setUp()
        self.other = OwnRegistry(self.home, name="other")
        self.registry.publish("tickets")
        self.other.publish("tickets", "3.0.0")
        self.other.publish("tickets-more")
        self.registry.added_by(self.curupira)
        self.other.added_by(self.curupira, "beta")

    def test_in_one_table(self):
        self.assertEqual(self.found("tickets"), ["acme:tickets", "beta:tickets", "beta:tickets-more"])

    def test_only_the_named(self):
        self.assertEqual(self.found("tickets", "--registry", "acme"), ["acme:tickets"])
        self.search("tickets", "--registry", "gamma").expect_error("CUR-4901", "gamma", code=2)

    def test_one_that_fails_does_not_hide_the_others(self):
        (self.other.folder / "metadata" / "timestamp.json").write_text("{")
        shown = self.search("tickets").expect_error("CUR-4601", "beta")
        self.assertIn("acme:tickets", shown.stdout)
        document = json.loads(self.search("tickets", "--json").expect(1).stdout)
        self.assertEqual([each["registry"] for each in document["failed"]], ["beta"])
        self.assertEqual(document["failed"][0]["error"]["code"], "CUR-4601")


class NoRegistry(Searching):
    def test_no_registry_is_set_up(self):
        self.search("tickets").expect_error("CUR-4901", "registry add", code=2)


class Read(Searching):
    def setUp(self):
        super().setUp()
        for name in ("one", "two", "three", "four", "five"):
            self.registry.publish(name)
        self.registry("refresh").expect(0)

    def bins(self, server: StaticServer) -> list[str]:
        return [file for file in server.asked if ".bins-" in file]

    def test_the_index_and_no_bin(self):
        server = self.serve()
        self.assertEqual(len(self.found("greetings")), 5)
        self.assertEqual(self.bins(server), [])
        self.assertLessEqual(len(server.asked), 8)

    def test_the_second_time_hardly_anything(self):
        server = self.serve()
        self.found("greetings")
        server.asked.clear()
        self.found("greetings")
        self.assertEqual(server.asked, ["metadata/2.root.json", "metadata/timestamp.json"])

    def test_what_was_published_since_by_its_bin(self):
        self.registry.publish("six")
        server = self.serve()
        self.assertEqual(len(self.found("greetings")), 6)
        (asked,) = self.bins(server)
        self.assertIn(f".{self.registry.role_of('six')}.json", asked)

    def test_what_a_publisher_signed_since(self):
        key = self.home.work / "team.pem"
        self.curupira("registry", "keys", "new", key).expect(0)
        self.registry("delegate", "@team/*", "--key", key).expect(0)
        server = self.serve()
        self.assertEqual(self.found("@team/"), [])
        self.registry.publish("mails", "2.0.0", "--scope", "team", "--key", key)
        server.asked.clear()
        self.assertEqual(self.search("@team/").expect(0).stdout.split()[:2], ["acme:@team/mails", "2.0.0"])
        self.assertEqual(self.bins(server), [])

    def test_a_publisher_who_signs_nonsense_does_not_hide_the_others(self):
        self.serve()
        self.registry.publish("six")
        self.registry.file_of(self.registry.role_of("six")).write_text("{}")
        shown = self.search("greetings").expect(0)
        self.assertEqual(shown.stdout.count("acme:"), 5)
        self.assertIn("bins-", shown.stderr)


class Offline(Searching):
    def setUp(self):
        super().setUp()
        self.registry.publish("tickets")
        self.registry("refresh").expect(0)
        self.server = self.serve()

    def test_from_what_was_read(self):
        self.found("tickets")
        self.server.asked.clear()
        self.assertEqual(self.found("tickets", "--offline"), ["acme:tickets"])
        self.assertEqual(self.server.asked, [])

    def test_nothing_was_read(self):
        self.search("tickets", "--offline").expect_error("CUR-4110", "acme")

    def test_a_folder_needs_no_network(self):
        self.registry.added_by(self.curupira, "beta")
        self.assertEqual(self.found("tickets", "--offline", "--registry", "beta"), ["beta:tickets"])

    def test_what_has_expired_since(self):
        self.found("tickets")
        prefix = (str(skip.need_program("faketime")), "-f", "+8d")
        self.search("tickets", "--offline", prefix=prefix).expect_error("CUR-4610", "timestamp")

    def test_a_limit_of_the_policy(self):
        self.found("tickets")
        settings = self.home.curupira / "settings.toml"
        settings.write_text('[policy]\nregistry_metadata_max_age = "2d"\n\n' + settings.read_text())
        faketime = str(skip.need_program("faketime"))
        self.assertEqual(self.found("tickets", "--offline", prefix=(faketime, "-f", "+1d")), ["acme:tickets"])
        stale = self.search("tickets", "--offline", prefix=(faketime, "-f", "+3d"))
        stale.expect_error("CUR-4907", f'{settings}:2: registry_metadata_max_age "2d"', "asked last on")
        # Who can ask is not refused, and what was asked now is new.
        self.found("tickets", prefix=(faketime, "-f", "+3d"))
        self.found("tickets", "--offline", prefix=(faketime, "-f", "+4d"))

    def test_a_limit_that_is_none(self):
        settings = self.home.curupira / "settings.toml"
        settings.write_text('[policy]\nregistry_metadata_max_age = "soon"\n\n' + settings.read_text())
        self.search("tickets").expect_error("CUR-1203", f"{settings}:2:29", code=2)

    def test_a_kept_index_that_somebody_changed_is_not_used(self):
        self.found("tickets")
        (kept,) = (self.home.curupira / "trust" / "acme" / "targets").glob("search*")
        kept.write_text(kept.read_text().replace("tickets", "sticket"))
        self.search("tickets", "--offline").expect_error("CUR-4110")
        self.assertEqual(self.found("tickets"), ["acme:tickets"])


if __name__ == "__main__":
    main()
