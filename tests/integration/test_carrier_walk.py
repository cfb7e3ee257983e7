"""The TUF client's way through a registry, the same over all places where one can be kept."""

import unittest

from curupira_testing import TempHome, main
from curupira_testing.carrier_places import BundlePlace, FolderPlace, OciPlace, OciWithReferrersPlace, WebPlace
from curupira_testing.own_registry import OwnRegistry

_states: list[dict[str, bytes]] = []


def states() -> list[dict[str, bytes]]:
    """The files of a registry, before and after something was published, as they are written."""
    if not _states:
        with TempHome() as home:
            registry = OwnRegistry(home)
            for name in ("tickets", "mails"):
                registry.publish(name)
                state = registry.state()
                names = [name for name in state if name.startswith(("metadata/", "targets/"))]
                order = sorted(names, key=lambda name: ("timestamp" in name, name.startswith("metadata"), name))
                _states.append({name: state[name] for name in order})
    return _states


class Walk:
    """From the root that is pinned to a package."""

    def setUp(self):
        super().setUp()
        self.before, self.now = states()

    def walk(self, *packages: str, **options):
        trust = self.home.work / "trust"
        if not trust.exists():
            self.tool.pin(self.now["metadata/1.root.json"])
        return self.tool.walk(self.address, trust, *(f"packages/{name}.json" for name in packages), **options)

    def index_of(self, package: str) -> str:
        return next(item for item in self.now if item.endswith(f".{package}.json") and "/packages/" in item)

    def test_a_client_comes_to_every_package(self):
        self.fill(self.now)
        found = self.walk("tickets", "mails").expect(0)
        self.assertRegex(found.stdout, r"packages/tickets.json bins-\d \d+ bytes\npackages/mails.json bins-\d \d+ bytes\n")

    def test_a_client_sees_what_was_published_since(self):
        self.fill(self.before)
        self.walk("mails").expect_error("CUR-4619")
        self.fill(self.now)
        self.walk("mails").expect(0)

    def test_a_client_and_an_index_that_is_missing(self):
        missing = self.index_of("tickets")
        self.fill({item: data for item, data in self.now.items() if item != missing})
        self.walk("tickets").expect_error("CUR-4703", missing.split("/")[-1])
        self.walk("mails").expect(0)

    def test_a_client_and_metadata_that_is_missing(self):
        files = self.now
        snapshot = max((item for item in files if item.endswith(".snapshot.json")), key=lambda item: int(item[9:].split(".")[0]))
        self.fill({item: data for item, data in files.items() if item != snapshot})
        self.walk("tickets").expect_error("CUR-4615", snapshot.split("/")[-1])

    def test_a_client_and_a_target_that_was_swapped(self):
        self.fill(self.now)
        self.damage(self.index_of("tickets"))
        self.walk("tickets").expect_error("CUR-4621", "packages/")
        self.walk("mails").expect(0)

    def test_a_client_and_a_timestamp_of_yesterday(self):
        self.fill(self.now)
        self.walk("mails").expect(0)
        trusted = (self.home.work / "trust" / "timestamp.json").read_bytes()
        self.fill(self.before)
        self.walk("mails").expect_error("CUR-4612", "timestamp.json")
        self.assertEqual((self.home.work / "trust" / "timestamp.json").read_bytes(), trusted)

    def test_a_client_after_everything_has_expired(self):
        self.fill(self.now)
        self.walk("mails", now="2200-01-01T00:00:00Z").expect_error("CUR-4610")


class Folder(Walk, FolderPlace, unittest.TestCase):
    pass


class Web(Walk, WebPlace, unittest.TestCase):
    pass


class Oci(Walk, OciPlace, unittest.TestCase):
    pass


class OciWithReferrers(Walk, OciWithReferrersPlace, unittest.TestCase):
    pass


class Bundle(Walk, BundlePlace, unittest.TestCase):
    pass


if __name__ == "__main__":
    main()
