// The registry's signed metadata (TUF), read without checking signatures: the program does that. What is compared are
// the lengths and digests that one file states of the next, so that a server that is half up to date is noticed.

const metadataLimits = { timestamp: 16 << 10, snapshot: 8 << 20, role: 5 << 20, index: 64 << 20, package: 16 << 20 };

/** As the program names files: the role's name is one segment of a path. */
function metadataPath(role, version) {
  const name = encodeURIComponent(role);
  return `metadata/${version}.${encodeURIComponent(name)}.json`;
}

/** What was signed, of the type `kind`. */
function signedContent(bytes, path, kind) {
  const content = member(parseObject(bytes, path), "signed");
  if (!isObject(content) || member(content, "_type") !== kind) throw new Unreadable(`${shown(path)} is not what it should be.`);
  return content;
}

function checkBytes(bytes, said, path) {
  const length = member(said, "length");
  const digest = member(member(said, "hashes"), "sha256");
  const differs = (length !== undefined && length !== bytes.length) || (digest !== undefined && digest !== sha256(bytes));
  if (differs) throw new Unreadable(`${shown(path)} is not the file that the metadata names: the server is half up to date, or lies.`);
}

/** Versions of all roles that clients see, by role: {versions: Map, expires}. */
async function readVersions() {
  const timestampPath = "metadata/timestamp.json";
  const timestampBytes = await readFile(timestampPath, metadataLimits.timestamp, true);
  const timestamp = signedContent(timestampBytes, timestampPath, "timestamp");
  const announced = member(member(timestamp, "meta"), "snapshot.json");
  const version = member(announced, "version");
  if (!isVersionNumber(version)) throw new Unreadable(`${timestampPath} names no snapshot.`);
  const snapshotPath = metadataPath("snapshot", version);
  const bytes = await readFile(snapshotPath, metadataLimits.snapshot);
  checkBytes(bytes, announced, snapshotPath);
  const listed = member(signedContent(bytes, snapshotPath, "snapshot"), "meta");
  const versions = new Map();
  for (const [name, said] of Object.entries(isObject(listed) ? listed : {}))
    if (name.endsWith(".json") && isVersionNumber(member(said, "version"))) versions.set(name.slice(0, -5), said);
  const expires = Date.parse(member(timestamp, "expires"));
  return { versions, expires: Number.isNaN(expires) ? null : new Date(expires) };
}

/** The targets that a role vouches for: {path: {length, hashes, custom}}. */
async function readTargets(versions, role) {
  const said = versions.get(role);
  if (said === undefined) throw new Unreadable(`The registry has no metadata of ${shown(role)}.`);
  const path = metadataPath(role, said.version);
  const bytes = await readFile(path, metadataLimits.role);
  checkBytes(bytes, said, path);
  const targets = member(signedContent(bytes, path, "targets"), "targets");
  return isObject(targets) ? targets : {};
}

/** The JSON of a target, compared with what its role says of it. */
async function readTarget(targets, path, limit) {
  const said = member(targets, path);
  const digest = member(member(said, "hashes"), "sha256");
  if (!isDigest(digest)) throw new Unreadable(`The registry does not list ${shown(path)}.`);
  const parts = path.split("/");
  const file = `${digest}.${parts.pop()}`;
  const place = ["targets", ...parts, file].map(encodeURIComponent).join("/");
  const bytes = await readFile(place, limit);
  checkBytes(bytes, said, place);
  return parseObject(bytes, place);
}
