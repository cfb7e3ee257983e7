"""Delegated roles whose names are no names of files, as another implementation publishes them, over all places where a
registry can be kept: "team/publisher" is the file 1.team%2Fpublisher.json, and on the web server its address is escaped."""

import unittest

from curupira_testing import main
from curupira_testing.carrier_places import BundlePlace, FolderPlace, OciPlace, OciWithReferrersPlace, WebPlace
from curupira_testing.tuf_repository import TufRepository  # skips the file without python-tuf

from urllib.parse import quote

ROLES = ("team/publisher", "ünï code", "a+b?c#d&e=f", "x" * 190)


class RoleNames:
    def setUp(self):
        super().setUp()
        repository = TufRepository.of(self)
        for number, name in enumerate(ROLES):
            repository.delegate(name, paths=[f"of-{number}-*"])
            repository.add_target(f"of-{number}-x.txt", name.encode(), role=name)
        repository.publish(*ROLES, "targets", "snapshot", "timestamp")
        files: dict[str, bytes] = {}
        for role, versions in repository.files.items():
            for version, file in versions.items():
                files[f"metadata/{version}.{quote(role, safe='')}.json"] = file
        files["metadata/timestamp.json"] = repository.latest("timestamp")
        for role in ROLES:
            for path, target in repository.roles[role].targets.items():
                files[f"targets/{target.hashes['sha256']}.{path}"] = repository.contents[path]
        self.now = "2030-01-01T00:00:00Z"
        self.fill(files)

    def test_each_leads_to_its_targets(self):
        trust = self.tool.pin(self.files["metadata/1.root.json"])
        names = [f"of-{number}-x.txt" for number in range(len(ROLES))]
        found = self.tool.walk(self.address, trust, *names, now=self.now).expect(0)
        self.assertEqual(len(found.stdout.splitlines()), len(ROLES))


class Folder(RoleNames, FolderPlace, unittest.TestCase):
    pass


class Web(RoleNames, WebPlace, unittest.TestCase):
    pass


class Oci(RoleNames, OciPlace, unittest.TestCase):
    pass


class OciWithReferrers(RoleNames, OciWithReferrersPlace, unittest.TestCase):
    pass


class Bundle(RoleNames, BundlePlace, unittest.TestCase):
    pass


if __name__ == "__main__":
    main()
