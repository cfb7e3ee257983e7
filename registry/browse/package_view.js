// One version of a package.

const listedVersions = 100;
const shownManifestCharacters = 256 << 10;

/** What this registry might be called on the reader's machine. */
function suggestedName() {
  const first = location.hostname.split(".").find((label) => label !== "www") ?? "";
  const usable = /^[a-z][a-z0-9-]*$/.test(first) && !["localhost", "npm", "pip", "path", "archive", "git", "uv"].includes(first);
  return usable ? first : "registry";
}

class PackageView {
  constructor(registry, name, releases) {
    this.registry = registry;
    this.name = name;
    this.releases = releases;
    this.brief = registry.packages.get(name);
  }

  /** The release that is asked for, else the latest; undefined when there is no such version. */
  choose(version) {
    if (version !== null) return this.releases.find((release) => release.version === version);
    return this.releases.find((release) => release.version === this.brief.latest) ?? this.releases[0];
  }

  /** `fingerprint` is null when the first root cannot be read. */
  build(release, fingerprint) {
    const manifest = readManifest(release.manifest);
    const title = element("h1", { tabindex: "-1" }, this.name, " ", element("span", { class: "version" }, shown(release.version, 60)));
    return [
      element("nav", { "aria-label": "Back" }, pageLink("/", "All packages", { class: "back" })),
      title,
      this.brief.summary === "" ? null : element("p", { class: "summary", dir: "auto" }, shown(this.brief.summary)),
      release.yanked === null ? null : this.takenBack(release),
      release.yanked === null ? this.install(release, fingerprint) : null,
      this.permissions(manifest),
      this.about(release, manifest),
      this.files(release),
      this.versions(release),
      this.manifest(release),
    ].filter((part) => part !== null);
  }

  takenBack(release) {
    return element(
      "div",
      { class: "warning", role: "note" },
      element("p", {}, element("strong", {}, "This version was taken back. "), element("span", { dir: "auto" }, shown(release.yanked, 1000))),
      element("p", {}, "Who has it locked keeps it. Nobody else gets it."),
    );
  }

  install(release, fingerprint) {
    const registry = suggestedName();
    const pinned = fingerprint === null ? "" : ` --root-fingerprint ${fingerprint}`;
    const add = `curupira registry add ${registry} ${registryUrl.href}${pinned}`;
    const install = `curupira plugins install ${registry}:${this.name}@${shown(release.version, 100)}`;
    return section(
      "install",
      "Install",
      element("p", {}, "Once on a machine, make the registry known:"),
      commandBlock("Make the registry known", add),
      note("Compare the fingerprint with the one that the keepers of the registry gave you. Do not take it from this page alone."),
      element("p", {}, "Then install the package:"),
      commandBlock("Install the package", install),
    );
  }

  permissions(manifest) {
    if (manifest === null)
      return section("permissions", "Permissions", note("The manifest cannot be read here. It is shown below as it is."));
    const asked = manifest.permissions;
    const list = element("ul", { class: "permissions" }, ...asked.map((each) => element("li", {}, element("code", {}, shown(each)))));
    return section("permissions", "Permissions", asked.length === 0 ? element("p", {}, "It declares none.") : list);
  }

  about(release, manifest) {
    const facts = [
      ["Published", element("time", { datetime: dateText(release.published) }, dateText(release.published))],
      ["Publisher", indexRole.test(this.brief.role) ? "The registry’s keepers" : shown(this.brief.role, 100)],
    ];
    if (manifest !== null) {
      const add = (term, text) => text && facts.push([term, shown(text)]);
      add("Triggers", manifest.triggers.join(", "));
      add("Runtime", manifest.runtime);
      add("Starts as", [manifest.launch, manifest.starts].filter(Boolean).join(": "));
      add("Platforms", manifest.platforms.join(", "));
    }
    const rows = facts.map(([term, text]) => element("div", {}, element("dt", {}, term), element("dd", {}, text)));
    return section("about", "About", element("dl", {}, ...rows));
  }

  files(release) {
    const rows = release.artifacts.map((artifact) => {
      const details = [sizeText(artifact.size), ...artifact.platforms.map((each) => shown(each, 60))].join(" · ");
      return element(
        "li",
        {},
        element("p", {}, element("strong", {}, shown(artifact.file)), ` ${details}`),
        element("p", { class: "digest" }, element("span", {}, "sha256 "), element("code", {}, shown(artifact.sha256, 80))),
      );
    });
    return section("files", "Files", element("ul", { class: "files" }, ...rows));
  }

  versions(release) {
    const rows = this.releases.slice(0, listedVersions).map((each) => {
      const link = pageLink(packageFragment(this.name, each.version), shown(each.version, 60));
      if (each === release) link.setAttribute("aria-current", "page");
      const mark = each.yanked === null ? null : element("span", { class: "badge warning" }, "taken back");
      return element("li", {}, link, " ", element("span", { class: "date" }, dateText(each.published)), mark && " ", mark);
    });
    const left = this.releases.length - rows.length;
    return section(
      "versions",
      "Versions",
      element("ul", { class: "versions" }, ...rows),
      left > 0 ? note(`${plural(left, "older version")} not shown.`) : null,
    );
  }

  manifest(release) {
    const text = shownLines(release.manifest, shownManifestCharacters);
    const shownText = element("pre", { tabindex: "0", role: "group", "aria-label": "Manifest" }, element("code", {}, text));
    return section("manifest", "Manifest", element("details", {}, element("summary", {}, "Show the manifest"), shownText));
  }
}
