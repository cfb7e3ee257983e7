"""`npm:` against a real registry (Verdaccio), named in .npmrc."""

import functools
import json
import os
import unittest
from pathlib import Path

from curupira_testing import Program, TempHome, main, skip
from curupira_testing.packages import npm_package, publish_npm
from curupira_testing.paths import EXTENSIONS
from curupira_testing.repo import bare_repository
from curupira_testing.services import Verdaccio
from curupira_testing.settings import npx, settings_text
from curupira_testing.strace import trace


@functools.cache
def published() -> Verdaccio:
    """One registry for all tests of this file that only read it, or publish packages of their own names."""
    skip.need_program("npm")
    registry = Verdaccio()
    unittest.addModuleCleanup(registry.stop)
    publish_npm(registry, "node-hello")
    publish_npm(registry, "node-hello", version="1.1.0")
    for version in ("1.1.9", "1.2.0", "1.2.7", "2.0.0"):
        publish_npm(registry, "acme-curupira-ext", version=version)
    publish_npm(registry, "npm-private")
    return registry


class WithRegistry(unittest.TestCase):
    def setUp(self):
        self.registry = published()
        self.home = TempHome.of(self)
        self.curupira = Program(self.home)
        (self.home.path / ".npmrc").write_text(self.registry.npmrc())

    def install(self, *references: str, **options):
        return self.curupira("plugins", "install", *references, "--yes", **options)

    def info(self, name: str) -> dict:
        return json.loads(self.curupira("plugins", "info", name, "--json").expect(0).stdout)

    def publish(self, name: str, version: str, files: dict[str, str], **fields: object) -> None:
        folder = npm_package(self.home.work / f"{name.replace('/', '-')}-{version}", name, version, files, **fields)
        publish_npm(self.registry, folder)


class ZeroDependencies(WithRegistry):
    def test_installs_without_starting_anything(self):
        seen = trace(self.curupira, "plugins", "install", "npm:curupira-node-hello@1.0.0", "--yes")
        seen.result.expect(0)
        self.assertIn("+ curupira-node-hello 1.0.0", seen.result.stdout)
        started = {Path(path).name for path in seen.executed[1:]}
        self.assertLessEqual(started, {"npm", "node", "env"}, "at most npm, asked for its registry")
        self.assertEqual(self.home.installed(), ["curupira-node-hello"])

    def test_the_newest_in_range(self):
        self.install("npm:curupira-node-hello").expect(0)
        self.assertEqual(self.info("curupira-node-hello")["version"], "1.1.0")

    def test_the_manifest_file_is_read_and_nothing_is_probed(self):
        self.install("npm:curupira-node-hello").expect(0)
        self.assertFalse(self.info("curupira-node-hello")["probed"])

    def test_the_digest_of_the_registry_is_the_receipt(self):
        self.install("npm:curupira-node-hello@1.0.0").expect(0)
        (artifact,) = self.info("curupira-node-hello")["artifacts"]
        self.assertTrue(artifact["digest"].startswith("sha512-"))
        self.assertEqual(artifact["level"], "digest")


class Scoped(WithRegistry):
    def test_range_dependency_bin_and_probe(self):
        result = self.install("npm:@acme/curupira-ext@^1.2").expect(0)
        self.assertIn("+ acme-curupira-ext 1.2.7", result.stdout)
        info = self.info("acme-curupira-ext")
        self.assertTrue(info["probed"])
        self.assertIn(info["sandbox"], ("bubblewrap", "landlock"))
        self.assertEqual(Path(info["command"][0]).name, "node")
        self.assertTrue(info["command"][1].endswith("/node_modules/@acme/curupira-ext/bin/server.js"), info)
        packages = {artifact["package"] for artifact in info["artifacts"]}
        self.assertEqual(packages, {"@acme/curupira-ext", "curupira-node-hello"})

    def test_exact_version_and_replacement(self):
        self.install("npm:@acme/curupira-ext@1.2.0").expect(0)
        result = self.install("npm:@acme/curupira-ext@2.0.0").expect(0)
        self.assertIn("Replaced extension acme-curupira-ext 1.2.0 with 2.0.0", result.stdout)

    def test_same_version_again_is_no_change(self):
        self.install("npm:@acme/curupira-ext@^1.2").expect(0)
        before = self.home.state()
        self.assertIn("no change", self.install("npm:@acme/curupira-ext@^1.2").expect(0).stdout)
        self.assertEqual(self.home.state(), before)

    def test_its_start_executes_node_and_nothing_else(self):
        self.install("npm:@acme/curupira-ext@^1.2").expect(0)
        remote = bare_repository(self.home.folder / "git")
        automations = {"one": {"trigger_type": "acme/greetings", "count": 2}}
        plugins = {"acme": npx("-y", "@acme/curupira-ext@^1.2")}
        self.home.write_settings(settings_text(remote, plugins, automations))
        seen = trace(self.curupira, "run", "--dry-run")
        self.assertEqual(seen.result.expect(0).stdout.count("dry-run\tone:acme/api:acme/greetings:"), 2)
        self.assertEqual([Path(path).name for path in seen.executed], ["curupira", "node"])

    def test_dependencies_are_hard_links_into_the_store(self):
        self.install("npm:@acme/curupira-ext@^1.2").expect(0)
        script = Path(self.info("acme-curupira-ext")["command"][1])
        self.assertGreaterEqual(script.stat().st_nlink, 2)
        self.assertFalse(script.is_symlink())


class Private(WithRegistry):
    def test_with_the_token_of_npmrc(self):
        (self.home.path / ".npmrc").write_text(self.registry.npmrc(token=True))
        result = self.install("npm:@private/curupira-ext").expect(0)
        self.assertEqual(self.home.installed(), ["private-curupira-ext"])
        kept = b"".join(each if isinstance(each, bytes) else each.encode() for each in self.home.state().values())
        for place in (kept.decode("utf-8", "replace"), result.stdout, result.stderr):
            self.assertNotIn(self.registry.token, place)

    def test_without_a_token(self):
        self.install("npm:@private/curupira-ext").expect_error("CUR-1309", "@private/curupira-ext")
        self.assertEqual(self.home.state(), {})

    def test_with_a_wrong_token_that_is_not_shown(self):
        wrong = "wrong-" + "7" * 30
        npmrc = self.registry.npmrc() + f"//127.0.0.1:{self.registry.port}/:_authToken={wrong}\n"
        (self.home.path / ".npmrc").write_text(npmrc)
        result = self.install("npm:@private/curupira-ext")
        result.expect_error("CUR-1309")
        self.assertNotIn(wrong, result.stdout + result.stderr)


class Refused(WithRegistry):
    def refused(self, reference: str, error: str, *words: str):
        self.install(reference).expect_error(error, *words)
        self.assertEqual(self.home.state(), {})
        self.assertEqual(os.listdir(self.home.temporary), [])

    def manifest(self, name: str, version: str, package: str | None = None) -> str:
        text = (EXTENSIONS / "node-hello" / "curupira-extension.toml").read_text()
        text = text.replace('"curupira-node-hello"', json.dumps(package or name))
        return text.replace(f"name = {json.dumps(package or name)}", f'name = "{name}"', 1).replace("1.0.0", version)

    def test_no_such_package(self):
        self.refused("npm:curupira-nothing", "CUR-1303", "curupira-nothing")

    def test_no_such_version(self):
        self.refused("npm:@acme/curupira-ext@^7", "CUR-1304", "^7", "2.0.0")

    def test_no_bin(self):
        manifest = self.manifest("curupira-no-bin", "1.0.0")
        self.publish("curupira-no-bin", "1.0.0", {"curupira-extension.toml": manifest})
        self.refused("npm:curupira-no-bin", "CUR-1305", "curupira-no-bin")

    def test_two_bins_and_none_is_named_like_it(self):
        bins = {"one": "x.js", "two": "y.js"}
        manifest = self.manifest("curupira-two-bins", "1.0.0")
        files = {"curupira-extension.toml": manifest, "x.js": "#!/usr/bin/env node\n", "y.js": ""}
        self.publish("curupira-two-bins", "1.0.0", files, bin=bins)
        self.refused("npm:curupira-two-bins", "CUR-1306", "one", "two")

    def test_two_bins_of_one_file_are_one(self):
        """As npx does it."""
        files = {"curupira-extension.toml": self.manifest("curupira-twins", "1.0.0"), "x.js": "#!/usr/bin/env node\n"}
        self.publish("curupira-twins", "1.0.0", files, bin={"one": "x.js", "two": "x.js"})
        self.install("npm:curupira-twins").expect(0)

    def test_manifest_of_another_version(self):
        manifest = self.manifest("curupira-liar", "9.9.9")
        files = {"curupira-extension.toml": manifest, "x.js": "#!/usr/bin/env node\n"}
        self.publish("curupira-liar", "1.0.0", files, bin="x.js")
        self.refused("npm:curupira-liar", "CUR-1108", "9.9.9", "1.0.0")

    def test_manifest_of_another_package(self):
        manifest = self.manifest("curupira-thief", "1.0.0", package="curupira-node-hello")
        files = {"curupira-extension.toml": manifest, "x.js": "#!/usr/bin/env node\n"}
        self.publish("curupira-thief", "1.0.0", files, bin="x.js")
        self.refused("npm:curupira-thief", "CUR-1108", "curupira-node-hello", "curupira-thief")

    def test_install_scripts_never_run(self):
        witness = self.home.folder / "witness"
        script = f"touch {witness}"
        manifest = self.manifest("curupira-scripts", "1.0.0")
        files = {"curupira-extension.toml": manifest, "x.js": "#!/usr/bin/env node\n"}
        scripts = {name: script for name in ("preinstall", "install", "postinstall", "prepare")}
        self.publish(
            "curupira-scripts", "1.0.0", files, bin="x.js", scripts=scripts, dependencies={"curupira-node-hello": "1"}
        )
        witness.unlink(missing_ok=True)
        result = self.install("npm:curupira-scripts")
        self.assertFalse(witness.exists(), result)

    def test_an_npm_that_is_missing_is_named(self):
        empty = self.home.folder / "empty-path"
        empty.mkdir()
        result = self.install("npm:@acme/curupira-ext@^1.2", env={"PATH": str(empty)})
        result.expect_error("CUR-1005", "npm")
        self.assertEqual(self.home.state(), {})


class Tree(unittest.TestCase):
    """A real tree of sixty and more packages, from the registry that npm is configured for."""

    @classmethod
    def setUpClass(cls):
        skip.need_npm_index()
        cls.registry = Verdaccio.of(cls, uplink=True)
        publish_npm(cls.registry, "node-hello")
        publish_npm(cls.registry, "npm-tree")

    def test_installed_and_started(self):
        with TempHome(index=True) as home:
            curupira = Program(home)
            (home.path / ".npmrc").write_text(self.registry.npmrc())
            curupira("plugins", "install", "npm:curupira-npm-tree", "--yes", timeout=300).expect(0)
            info = json.loads(curupira("plugins", "info", "curupira-npm-tree", "--json").expect(0).stdout)
            self.assertGreaterEqual(len(info["artifacts"]), 60)
            remote = bare_repository(home.folder / "git")
            automations = {"one": {"trigger_type": "tree/greetings"}}
            home.write_settings(settings_text(remote, {"tree": npx("-y", "curupira-npm-tree")}, automations))
            self.assertIn("dry-run\tone:", curupira("run", "--dry-run").expect(0).stdout)


if __name__ == "__main__":
    main()
