"""A mirror on nginx, its registry gone: real npm, npx, pnpm and this program install from it."""

import json
import unittest

from curupira_testing import Program, main, skip
from curupira_testing.home import TempHome
from curupira_testing.mirror import Mirror
from curupira_testing.mirror_clients import closed_home, describe, run
from curupira_testing.network import WebServer
from curupira_testing.packages import npm_package, publish_npm
from curupira_testing.paths import node_tool
from curupira_testing.repo import bare_repository
from curupira_testing.services import Verdaccio
from curupira_testing.settings import npx, settings_of_nothing, settings_text
from curupira_testing.signed_npm import NAME, WithSigningRegistry

TRIGGERS = ["greetings", "silence"]


class FromNginx(unittest.TestCase):
    """`curupira-node-hello`, and `@acme/curupira-ext`, which needs it; their registry does not run any more."""

    @classmethod
    def setUpClass(cls):
        for program in ("npm", "npx", "nginx"):
            skip.need_program(program)
        outside = TempHome.of(cls)
        cls.server = WebServer.of(cls, extra=f"location /mirror/ {{ root {outside.work}; }}")
        cls.url = f"{cls.server.url}mirror/"
        cls.mirror = Mirror(Program(outside), cls.url)
        with Verdaccio() as registry:
            (outside.path / ".npmrc").write_text(registry.npmrc())
            publish_npm(registry, "node-hello")
            publish_npm(registry, "node-hello", version="1.1.0")
            publish_npm(registry, "acme-curupira-ext", version="1.2.7")
            cls.publish_for_other_systems(registry, outside)
            cls.mirror.add("npm:@acme/curupira-ext@^1.2", "npm:curupira-node-hello@1.0.0").expect(0)
            systems = ("--platform", "linux-x86_64", "--platform", "darwin-aarch64")
            cls.mirror.add("npm:curupira-systems", *systems).expect(0)

    @staticmethod
    def publish_for_other_systems(registry: Verdaccio, home: TempHome) -> None:
        """A package with an optional dependency a system."""
        for system, cpu in (("linux", "x64"), ("darwin", "arm64"), ("win32", "x64")):
            name = f"curupira-for-{system}"
            folder = npm_package(home.work / name, name, "1.0.0", {"x.js": ""}, os=[system], cpu=[cpu])
            publish_npm(registry, folder)
        needs = {f"curupira-for-{system}": "1.0.0" for system in ("linux", "darwin", "win32")}
        folder = npm_package(home.work / "systems", "curupira-systems", "1.0.0", {"x.js": ""}, optionalDependencies=needs)
        publish_npm(registry, folder)

    def setUp(self):
        self.home = closed_home(self, self.url)
        self.project = self.home.work / "project"
        self.project.mkdir()
        (self.project / "package.json").write_text('{"private": true}')

    def installed(self, name: str) -> str:
        return json.loads((self.project / "node_modules" / name / "package.json").read_text())["version"]

    def test_npm_install(self):
        run(self.home, "npm", "install", "@acme/curupira-ext@^1", cwd=self.project)
        self.assertEqual(self.installed("@acme/curupira-ext"), "1.2.7")
        self.assertEqual(self.installed("curupira-node-hello"), "1.1.0", "of the versions that are mirrored")

    def test_npm_ci_with_a_lock_file_of_another_registry(self):
        with_addresses = "--omit-lockfile-registry-resolved=false"
        run(self.home, "npm", "install", "@acme/curupira-ext@^1", with_addresses, cwd=self.project)
        file = self.project / "package-lock.json"
        lock = json.loads(file.read_text())
        self.assertIn(self.url, file.read_text())
        for package in lock["packages"].values():
            if "resolved" in package:
                package["resolved"] = package["resolved"].replace(f"{self.url}npm/", "https://registry.example.org/")
        file.write_text(json.dumps(lock))
        fresh = closed_home(self, self.url)
        run(fresh, "npm", "ci", "--replace-registry-host=always", cwd=self.project)
        self.assertEqual(self.installed("@acme/curupira-ext"), "1.2.7")

    def test_only_the_system_s_own_packages(self):
        run(self.home, "npm", "install", "curupira-systems", cwd=self.project)
        self.assertTrue((self.project / "node_modules" / "curupira-for-linux").exists())
        self.assertFalse((self.project / "node_modules" / "curupira-for-darwin").exists())
        files = self.mirror.files()
        self.assertIn("npm/curupira-for-darwin/-/curupira-for-darwin-1.0.0.tgz", files)
        self.assertNotIn("npm/curupira-for-win32/-/curupira-for-win32-1.0.0.tgz", files, "of no platform that was named")

    def test_npx_starts_an_extension(self):
        described = describe(self.home, "npx", "-y", "curupira-node-hello@1.0.0")
        self.assertEqual([trigger["trigger_type"] for trigger in described["triggers"]], TRIGGERS)
        scoped = describe(self.home, "npx", "-y", "@acme/curupira-ext")
        self.assertEqual([trigger["trigger_type"] for trigger in scoped["triggers"]], TRIGGERS)

    def test_this_program(self):
        curupira = Program(self.home)
        curupira("plugins", "install", "npm:@acme/curupira-ext@^1.2", "--yes").expect(0)
        self.assertEqual(self.home.installed(), ["acme-curupira-ext"])
        info = json.loads(curupira("plugins", "info", "acme-curupira-ext", "--json").expect(0).stdout)
        self.assertEqual({each["package"] for each in info["artifacts"]}, {"@acme/curupira-ext", "curupira-node-hello"})

    def test_a_lock_file_is_brought_from_the_usual_places(self):
        curupira = Program(self.home)
        self.home.write_settings(settings_of_nothing())
        curupira("plugins", "install", "npm:curupira-node-hello@1.0.0", "--yes").expect(0)
        lock = self.home.curupira / "curupira.lock"
        fresh = closed_home(self, self.url)
        fresh.write_settings(settings_of_nothing())
        (fresh.curupira / "curupira.lock").write_bytes(lock.read_bytes())
        before = len(self.server.asked())
        Program(fresh)("plugins", "sync", "--yes").expect(0)
        self.assertEqual(fresh.installed(), ["curupira-node-hello"])
        missed = [each.path for each in self.server.asked()[before:] if each.status == 404]
        self.assertEqual([path for path in missed if path.endswith(".tgz")], [])

    def test_the_existing_host(self):
        peer = Program(self.home, skip.need_python_tool("curupira"))
        peer("plugins", "install", "npm:curupira-node-hello@1.0.0", "--yes").expect(0)
        self.assertIn("greetings", peer("plugins", "list").expect(0).stdout)
        remote = bare_repository(self.home.folder / "git")
        plugins = {"hello": npx("-y", "curupira-node-hello@1.0.0")}
        self.home.write_settings(settings_text(remote, plugins, {"one": {"trigger_type": "hello/greetings"}}))
        self.assertIn("dry-run", peer("run", "--dry-run", timeout=180).expect(0).stdout)

    def test_pnpm(self):
        pnpm = node_tool("pnpm")
        if not pnpm.exists():
            self.skipTest("pnpm is not among the tools")
        run(self.home, pnpm, "add", "@acme/curupira-ext@^1", cwd=self.project)
        self.assertEqual(self.installed("@acme/curupira-ext"), "1.2.7")

    def test_bun(self):
        bun = node_tool("bun")
        if not bun.exists():
            self.skipTest("bun is not among the tools")
        run(self.home, bun, "add", "@acme/curupira-ext@^1", cwd=self.project)
        self.assertEqual(self.installed("@acme/curupira-ext"), "1.2.7")

    def test_nothing_but_the_mirror_was_needed(self):
        self.assertEqual(self.mirror.problems(), [])
        self.assertNotIn("npm/curupira-node-hello/-/curupira-node-hello-0.9.0.tgz", self.mirror.files())


#: What `npm audit signatures` does for each package, with npm's own modules. The command itself first asks a key service on
#: the internet, also where the registry publishes keys.
AUDIT = """
const { createRequire } = require("node:module");
const own = createRequire(process.argv[1]);
const [pacote, fetch] = [own("pacote"), own("npm-registry-fetch")];
const [registry, name] = process.argv.slice(2);
(async () => {
  const { keys } = await fetch.json("/-/npm/v1/keys", { registry });
  const named = keys.map((key) => ({
    ...key,
    pemkey: `-----BEGIN PUBLIC KEY-----\\n${key.key}\\n-----END PUBLIC KEY-----`,
  }));
  const { host, pathname } = new URL(registry);
  const options = { registry, verifySignatures: true, [`//${host}${pathname}:_keys`]: named };
  const manifest = await pacote.manifest(name, { ...options, cache: process.env.HOME + "/cache", fullMetadata: true });
  console.log(JSON.stringify(manifest._signatures));
})().catch((error) => { console.error(error); process.exit(1); });
"""


class Signatures(WithSigningRegistry):
    """npm finds the first registry's signatures and keys on the mirror, and they hold."""

    def setUp(self):
        super().setUp()
        for program in ("npm", "nginx"):
            skip.need_program(program)
        self.registry.publish(NAME)
        server = WebServer.of(self, extra=f"location /mirror/ {{ root {self.home.work}; }}")
        self.mirror = Mirror(self.curupira, f"{server.url}mirror/")
        self.mirror.add(f"npm:{NAME}").expect(0)
        self.inside = closed_home(self, self.mirror.url)

    def audit(self, code: int = 0) -> bytes:
        (folder,) = run(self.inside, "npm", "root", "-g").decode().splitlines()
        return run(self.inside, "node", "-e", AUDIT, f"{folder}/npm/index.js", f"{self.mirror.url}npm/", NAME, code=code)

    def test_they_hold(self):
        (signature,) = json.loads(self.audit())
        self.assertEqual(signature["keyid"], self.registry.key.id)

    def test_another_one_does_not(self):
        page = self.mirror.folder / "npm" / NAME / "index.html"
        packument = self.mirror.packument(NAME)
        packument["versions"]["1.0.0"]["dist"]["signatures"][0]["sig"] = self.registry.key.sign("other")
        page.write_text(json.dumps(packument))
        self.audit(code=1)


if __name__ == "__main__":
    main()
