// Files of the registry that this page lies in, and how hostile text is shown.

/** Where the registry is: the address of this page without its own name. */
const registryUrl = new URL(".", location.href.split(/[?#]/)[0]);

const answerMilliseconds = 60_000;

/** What cannot be read, in words for people. */
class Unreadable extends Error {}

/**
 * The bytes of a file of the registry, at most `limit` of them. `fresh`: not what the browser kept of it. The error
 * names the file.
 */
async function readFile(path, limit, fresh = false) {
  let answer;
  try {
    answer = await fetch(new URL(path, registryUrl), {
      cache: fresh ? "no-cache" : "default",
      redirect: "error",
      signal: AbortSignal.timeout(answerMilliseconds),
    });
  } catch {
    throw new Unreadable(`The server did not answer when asked for ${shown(path)}.`);
  }
  if (!answer.ok) throw new Unreadable(`The server has no ${shown(path)} (status ${answer.status}).`);
  const chunks = [];
  let size = 0;
  const reader = answer.body.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new Unreadable(`The server broke off while it sent ${shown(path)}.`);
    });
    if (done) break;
    size += value.length;
    if (size > limit) {
      reader.cancel().catch(() => {});
      throw new Unreadable(`${shown(path)} is larger than ${limit} bytes.`);
    }
    chunks.push(value);
  }
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

/** The JSON object in `bytes`. */
function parseObject(bytes, path) {
  let value;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    value = undefined;
  }
  if (!isObject(value)) throw new Unreadable(`${shown(path)} is not what it should be.`);
  return value;
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A member of an object that came from outside, if the object itself has it. */
function member(object, name) {
  return isObject(object) && Object.hasOwn(object, name) ? object[name] : undefined;
}

function isVersionNumber(value) {
  return Number.isSafeInteger(value) && value > 0;
}

function isDigest(value) {
  return typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
}

/** Only strings, and not endlessly many of them. */
function strings(value, most = 1000) {
  return Array.isArray(value) ? value.slice(0, most).filter((each) => typeof each === "string") : [];
}

// Control characters, and those that are not seen or turn the direction of what follows.
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\u115f\u1160\u3164\uffa0]/gu;

/** Text from outside, such that it shows all that is in it: what cannot be seen as "\u{202e}". */
function shown(text, most = 300) {
  const cut = text.length > most ? `${text.slice(0, most)}…` : text;
  return cut.replace(invisible, (character) => `\\u{${character.codePointAt(0).toString(16)}}`);
}

/** The same for text of several lines. */
function shownLines(text, most) {
  const lines = text.slice(0, most).split(/\r?\n/);
  return lines.map((line) => line.split("\t").map((part) => shown(part, most)).join("\t")).join("\n");
}
