// All packages: the search index, and the metadata of what has changed since it was made.

/** Roles that changed since the index was made and are read one by one; more would be many requests for a page. */
const mostChangedRoles = 64;

const packageName = /^(@[a-z0-9][a-z0-9._-]{0,63}\/)?[a-z0-9][a-z0-9._-]{0,63}$/;
const indexRole = /^bins-[0-9a-f]+$/;

/** What is shown of a package in a list; undefined when its name is none. */
function briefOf(name, said, role) {
  if (typeof name !== "string" || !packageName.test(name) || typeof role !== "string") return undefined;
  const latest = member(said, "latest");
  const summary = member(said, "summary");
  const triggers = strings(member(said, "triggers"));
  const brief = {
    name,
    role,
    latest: typeof latest === "string" ? latest : null,
    summary: typeof summary === "string" ? summary : "",
    triggers,
  };
  brief.words = [name, brief.summary, ...triggers].join(" ").toLowerCase();
  return brief;
}

function nameOfTarget(path) {
  return path.startsWith("packages/") && path.endsWith(".json") ? path.slice(9, -5) : "";
}

/** Everything that the page knows of the registry. */
class Registry {
  /** Reads the index; the error is for people. */
  static async load() {
    const { versions, expires } = await readVersions();
    const registry = new Registry();
    registry.versions = versions;
    registry.expires = expires;
    registry.packages = new Map();
    registry.incomplete = false;
    const index = await readTarget(await readTargets(versions, "search"), "search/index.json", metadataLimits.index);
    const listed = member(index, "packages");
    for (const said of Array.isArray(listed) ? listed : []) {
      const brief = briefOf(member(said, "name"), said, member(said, "role"));
      if (brief) registry.packages.set(brief.name, brief);
    }
    await registry.addChanges(member(index, "roles"));
    registry.sorted = [...registry.packages.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    return registry;
  }

  /** What was published since the index was made. */
  async addChanges(indexed) {
    const changed = [...this.versions.keys()].filter(
      (role) =>
        !["targets", "bins", "search"].includes(role) && member(indexed, role) !== this.versions.get(role).version,
    );
    this.incomplete = changed.length > mostChangedRoles;
    const read = changed.slice(0, mostChangedRoles);
    const found = await Promise.allSettled(read.map((role) => readTargets(this.versions, role)));
    found.forEach(({ status, value }, i) => {
      const role = read[i];
      if (status === "rejected") {
        this.incomplete = true;
        return;
      }
      for (const [name, brief] of this.packages) if (brief.role === role) this.packages.delete(name);
      for (const [path, said] of Object.entries(value)) {
        const brief = briefOf(nameOfTarget(path), member(member(said, "custom"), "curupira"), role);
        if (brief && !this.isOfPublisher(brief)) this.packages.set(brief.name, brief);
      }
    });
  }

  /** A publisher's own names count before those of the bins. */
  isOfPublisher(brief) {
    const known = this.packages.get(brief.name);
    return known !== undefined && !indexRole.test(known.role) && indexRole.test(brief.role);
  }

  /** Packages that have all the words, those whose name begins with the first one before the others. */
  find(query) {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) return this.sorted;
    const found = this.sorted.filter((brief) => words.every((word) => brief.words.includes(word)));
    const begins = (brief) => brief.name.replace(/^@[^/]*\//, "").startsWith(words[0]) || brief.name.startsWith(words[0]);
    return [...found.filter(begins), ...found.filter((brief) => !begins(brief))];
  }

  /** The versions of a package, the highest first: [{version, published, yanked, manifest, artifacts}]. */
  async versionsOf(name) {
    const brief = this.packages.get(name);
    if (!brief) throw new Unreadable(`This registry has no package of the name ${shown(name)}.`);
    const index = await readTarget(await readTargets(this.versions, brief.role), `packages/${name}.json`, metadataLimits.package);
    const listed = member(index, "versions");
    const found = Object.entries(isObject(listed) ? listed : {}).map(([version, said]) => releaseOf(version, said));
    return found.sort((a, b) => compareVersions(b.version, a.version));
  }

  /** Of the first root, which `registry add` pins. */
  async fingerprint() {
    return `sha256:${sha256(await readFile("metadata/1.root.json", metadataLimits.role))}`;
  }
}

function releaseOf(version, said) {
  const artifacts = member(said, "artifacts");
  const manifest = member(said, "manifest");
  const published = Date.parse(member(said, "published"));
  const yanked = member(said, "yanked");
  const reason = member(yanked, "reason");
  return {
    version,
    published: Number.isNaN(published) ? null : new Date(published),
    yanked: yanked === undefined ? null : typeof reason === "string" ? reason : "",
    manifest: typeof manifest === "string" ? manifest : "",
    artifacts: (Array.isArray(artifacts) ? artifacts.slice(0, 100) : []).map((each) => ({
      file: String(member(each, "file")),
      sha256: String(member(each, "sha256")),
      size: Number(member(each, "size")),
      platforms: strings(member(each, "platforms")),
    })),
  };
}

/** By precedence (semantic versions 2.0.0 §11). */
function compareVersions(a, b) {
  const [left, right] = [a, b].map((text) => {
    const [core, ...rest] = text.split("+")[0].split("-");
    return { core: core.split(".").map(Number), pre: rest.length > 0 ? rest.join("-").split(".") : [] };
  });
  for (let i = 0; i < 3; ++i) if (left.core[i] !== right.core[i]) return left.core[i] - right.core[i];
  if (left.pre.length === 0 || right.pre.length === 0) return right.pre.length - left.pre.length;
  for (let i = 0; i < Math.max(left.pre.length, right.pre.length); ++i) {
    const [x, y] = [left.pre[i], right.pre[i]];
    if (x === y) continue;
    if (x === undefined || y === undefined) return x === undefined ? -1 : 1;
    const [xIsNumber, yIsNumber] = [x, y].map((part) => /^\d+$/.test(part));
    if (xIsNumber !== yIsNumber) return xIsNumber ? -1 : 1;
    return xIsNumber ? Number(x) - Number(y) : x < y ? -1 : 1;
  }
  return 0;
}
