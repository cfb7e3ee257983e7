"""A registry of ours, read by python-tuf and by the TUF client of this project: both come to the same packages."""

import json
import unittest
from pathlib import Path
from urllib.parse import quote

from curupira_testing import TempHome, main, skip

skip.file_needs_python_packages("tuf", "securesystemslib", "cryptography")

from tuf.api.exceptions import DownloadHTTPError, RepositoryError  # noqa: E402
from tuf.ngclient import Updater, UpdaterConfig  # noqa: E402
from tuf.ngclient.fetcher import FetcherInterface  # noqa: E402

from curupira_testing.mirror import Mirror  # noqa: E402
from curupira_testing.own_registry import OwnRegistry, StaticServer  # noqa: E402
from curupira_testing.packages import acme_archive, sha256  # noqa: E402
from curupira_testing.program import Program  # noqa: E402
from curupira_testing.tuf_client import client_path  # noqa: E402


class FolderFetcher(FetcherInterface):
    """Gives python-tuf the files of a folder, and counts."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.asked: list[str] = []

    def _fetch(self, url: str):
        path = url.removeprefix("folder:/")
        self.asked.append(path)
        file = self.folder / path
        if not file.is_file():
            raise DownloadHTTPError("not there", 404)
        yield file.read_bytes()


class PythonTuf:
    """python-tuf's client, with trusted metadata of its own."""

    def __init__(self, registry: OwnRegistry, name: str = "python-tuf") -> None:
        self.registry = registry
        self.folder = registry.home.work / name
        self.folder.mkdir()
        self.root = (registry.folder / "metadata" / "1.root.json").read_bytes()
        self.fetcher = FolderFetcher(registry.folder)

    def updater(self) -> Updater:
        self.fetcher.asked.clear()
        updater = Updater(
            str(self.folder),
            "folder:/metadata/",
            str(self.folder),
            "folder:/targets/",
            fetcher=self.fetcher,
            config=UpdaterConfig(max_root_rotations=20),
            bootstrap=self.root if not (self.folder / "root.json").exists() else None,
        )
        updater.refresh()
        return updater

    def index(self, package: str) -> dict | None:
        """The package's index, downloaded and verified; nothing when the registry has no such package."""
        updater = self.updater()
        info = updater.get_targetinfo(f"packages/{package}.json")
        if info is None:
            return None
        return json.loads(Path(updater.download_target(info)).read_bytes())


class OurClient:
    """The client of this project, over HTTP."""

    def __init__(self, registry: OwnRegistry, server: StaticServer) -> None:
        self.server = server
        self.metadata = registry.home.work / "our-client"
        self.targets = registry.home.work / "our-targets"
        self.program = Program(registry.home, client_path())
        self.program("--metadata-dir", self.metadata, "init", registry.folder / "metadata" / "1.root.json").expect(0)

    def _run(self, *words):
        return self.program("--metadata-dir", self.metadata, "--metadata-url", self.server.metadata_url, *words)

    def download(self, package: str):
        self.server.asked.clear()
        target = ("--target-name", f"packages/{package}.json")
        where = ("--target-base-url", self.server.targets_url, "--target-dir", self.targets)
        return self._run(*target, *where, "download")

    def index(self, package: str) -> dict | None:
        result = self.download(package)
        if result.code != 0:
            result.expect_error("CUR-4619")
            return None
        return json.loads((self.targets / quote(f"packages/{package}.json", safe="")).read_bytes())


class BothClients(unittest.TestCase):
    options: tuple[str, ...] = ()

    def setUp(self):
        self.home = TempHome.of(self)
        self.registry = OwnRegistry(self.home, *self.options)
        self.theirs = PythonTuf(self.registry)
        self.ours = OurClient(self.registry, StaticServer.of(self, self.registry.folder))

    def both_find(self, package: str, versions: list[str]) -> dict:
        index = self.registry.index(package)
        self.assertEqual(sorted(index["versions"]), versions)
        self.assertEqual(self.theirs.index(package), index)
        self.assertEqual(self.ours.index(package), index)
        return index

    def none_finds(self, package: str) -> None:
        self.assertIsNone(self.theirs.index(package))
        self.assertIsNone(self.ours.index(package))


class Read(BothClients):
    def test_an_empty_registry(self):
        self.none_finds("tickets")

    def test_packages_in_bins(self):
        for name in ("tickets", "mails", "builds"):
            self.registry.publish(name)
        for name in ("tickets", "mails", "builds"):
            index = self.both_find(name, ["1.0.0"])
            (artifact,) = index["versions"]["1.0.0"]["artifacts"]
            stored = self.registry.folder / "targets" / "artifacts" / f"{artifact['sha256']}.{artifact['file']}"
            self.assertEqual(sha256(stored.read_bytes()), artifact["sha256"])
        self.none_finds("nothing")

    def test_later_versions_and_yanks(self):
        self.registry.publish("tickets")
        self.both_find("tickets", ["1.0.0"])
        self.registry.publish("tickets", "1.1.0")
        self.registry("yank", "tickets", "1.1.0", "--reason", "loses tickets").expect(0)
        index = self.both_find("tickets", ["1.0.0", "1.1.0"])
        self.assertEqual(index["versions"]["1.1.0"]["yanked"], {"reason": "loses tickets"})

    def test_the_search_index(self):
        self.registry.publish("tickets")
        self.registry("refresh").expect(0)
        updater = self.theirs.updater()
        index = json.loads(Path(updater.download_target(updater.get_targetinfo("search/index.json"))).read_bytes())
        self.assertEqual([each["name"] for each in index["packages"]], ["tickets"])
        self.assertEqual(index["roles"][self.registry.role_of("tickets")], 2)

    def test_a_warm_client_asks_for_two_files(self):
        self.registry.publish("tickets")
        self.both_find("tickets", ["1.0.0"])
        self.ours.download("tickets").expect(0)
        self.assertEqual(self.ours.server.asked, ["metadata/2.root.json", "metadata/timestamp.json"])


class Keys(BothClients):
    options = ("--root-keys", "3", "--root-threshold", "2")

    def setUp(self):
        super().setUp()
        self.registry.publish("tickets")
        self.both_find("tickets", ["1.0.0"])

    def test_rotation_of_every_key(self):
        first_root_key = self.registry.signed("root")["roles"]["root"]["keyids"][0]
        for arguments in (("online",), ("targets",), ("root", first_root_key)):
            self.registry("keys rotate", *arguments).expect(0)
            self.both_find("tickets", ["1.0.0"])
        self.registry.publish("tickets", "1.1.0")
        self.both_find("tickets", ["1.0.0", "1.1.0"])
        self.assertEqual(self.registry.signed("root")["version"], 4)

    def test_a_new_client_after_several_roots(self):
        for role in ("online", "targets", "online"):
            self.registry("keys rotate", role).expect(0)
        self.assertEqual(PythonTuf(self.registry, "newcomer").index("tickets"), self.registry.index("tickets"))

    def test_a_root_that_waits_is_not_seen(self):
        first, _, third = self.registry.take_away("root-1", "root-2", "root-3")
        self.registry("keys rotate", "online").expect(0)
        self.both_find("tickets", ["1.0.0"])
        self.registry("sign", "--key", first).expect(0)
        self.both_find("tickets", ["1.0.0"])
        self.registry("sign", "--key", third).expect(0)
        self.both_find("tickets", ["1.0.0"])
        self.assertEqual(json.loads((self.theirs.folder / "root.json").read_bytes())["signed"]["version"], 2)

    def test_an_older_registry_put_back_is_refused(self):
        saved = self.registry.state()
        self.registry.publish("tickets", "1.1.0")
        self.both_find("tickets", ["1.0.0", "1.1.0"])
        (self.registry.folder / "metadata" / "timestamp.json").write_bytes(saved["metadata/timestamp.json"])
        with self.assertRaises(RepositoryError):
            self.theirs.updater()
        self.ours.download("tickets").expect_error("CUR-4612")
        # Its own keeper refuses as well to sign anything on top of it.
        self.registry("publish", self.registry.extension("mails")).expect_error("CUR-4612")


class Publishers(BothClients):
    def setUp(self):
        super().setUp()
        self.key = self.home.work / "acme.pem"
        self.registry.curupira("registry", "keys", "new", self.key).expect(0)

    def test_names_of_a_publisher(self):
        self.registry("delegate", "@acme/*", "--key", self.key).expect(0)
        self.none_finds("@acme/tickets")
        self.registry.publish("tickets", "1.0.0", "--scope", "acme", "--key", self.key)
        self.registry.publish("tickets", "2.0.0")
        self.both_find("@acme/tickets", ["1.0.0"])
        self.both_find("tickets", ["2.0.0"])

    def test_what_others_put_below_such_a_name_is_not_found(self):
        self.registry("delegate", "acme-*", "--key", self.key).expect(0)
        self.none_finds("acme-tickets")
        self.registry.publish("acme-tickets", "1.0.0", "--key", self.key)
        self.both_find("acme-tickets", ["1.0.0"])


class OfAMirror(unittest.TestCase):
    def test_what_it_has_is_a_target(self):
        """Every file that is served to other programs has its digest there."""
        home = TempHome.of(self)
        vendor = StaticServer.of(self, home.work)
        archive = acme_archive(home.work, "tar.gz")
        mirror = Mirror(Program(home)).made()
        mirror.run(f"{vendor.url}{archive.name}#sha256={sha256(archive.read_bytes())}", "--yes").expect(0)
        updater = PythonTuf(mirror).updater()
        info = updater.get_targetinfo("mirror/index.json")
        index = json.loads(Path(updater.download_target(info)).read_bytes())
        self.assertEqual([file["path"] for file in index["files"]], mirror.files())
        for file in index["files"]:
            self.assertEqual(file["sha256"], sha256((mirror.folder / file["path"]).read_bytes()))


if __name__ == "__main__":
    main()
