// What a manifest declares, for people.

/** {permissions, triggers, runtime, launch, platforms, starts}; null when the manifest cannot be read here. */
function readManifest(text) {
  let table;
  try {
    table = TomlReader.read(text);
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
  const within = (name) => (table.get(name) instanceof Map ? table.get(name) : new Map());
  const word = (value) => (typeof value === "string" ? value : null);
  const launch = within("launch");
  const platforms = launch.get("platforms");
  return {
    permissions: strings(within("capabilities").get("permissions")),
    triggers: strings(table.get("trigger_types")),
    runtime: word(table.get("runtime")),
    launch: word(launch.get("type")),
    platforms: platforms instanceof Map ? [...platforms.keys()] : [],
    starts: [launch.get("package"), launch.get("executable"), launch.get("program")].map(word).find(Boolean) ?? null,
  };
}

/** "48,213 bytes", "250 kB", "1.2 MB": as the program writes sizes. */
function sizeText(bytes) {
  if (!Number.isSafeInteger(bytes) || bytes < 0) return "of unknown size";
  if (bytes < 100_000) return bytes === 1 ? "1 byte" : `${String(bytes).replace(/\B(?=(\d{3})+$)/g, ",")} bytes`;
  const units = ["kB", "MB", "GB", "TB"];
  let value = bytes / 1000;
  while (value >= 1000 && units.length > 1) {
    value /= 1000;
    units.shift();
  }
  return `${value < 100 && units[0] !== "kB" ? value.toFixed(1) : Math.round(value)} ${units[0]}`;
}

function dateText(date) {
  return date ? date.toISOString().slice(0, 10) : "unknown";
}
