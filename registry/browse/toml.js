// TOML, as far as manifests have it: all its strings, keys and tables; numbers, dates and the rest stay text. Whatever
// is not understood is an error, so that nothing is left out silently.

class TomlReader {
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  static read(text) {
    return new TomlReader(text.replace(/\r\n/g, "\n")).document();
  }

  fail() {
    throw new Unreadable("The manifest cannot be read here.");
  }

  peek(count = 1) {
    return this.text.substr(this.at, count);
  }

  take(expected) {
    if (this.peek(expected.length) !== expected) this.fail();
    this.at += expected.length;
  }

  match(pattern) {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (!found) return null;
    this.at = pattern.lastIndex;
    return found[0];
  }

  blanks() {
    this.match(/[ \t]*/y);
  }

  /** Blanks, line ends and comments. */
  space() {
    this.match(/(?:[ \t\n]|#[^\n]*)*/y);
  }

  lineEnd() {
    this.match(/[ \t]*(?:#[^\n]*)?/y);
    if (this.at < this.text.length) this.take("\n");
  }

  document() {
    const root = new Map();
    let table = root;
    for (this.space(); this.at < this.text.length; this.space()) {
      if (this.peek() === "[") table = this.header(root);
      else this.pair(table);
      this.lineEnd();
    }
    return root;
  }

  header(root) {
    const list = this.peek(2) === "[[";
    this.take(list ? "[[" : "[");
    const keys = this.keys();
    this.take(list ? "]]" : "]");
    const last = keys.pop();
    const parent = this.descend(root, keys);
    if (list) {
      if (!parent.has(last)) parent.set(last, []);
      if (!Array.isArray(parent.get(last))) this.fail();
      parent.get(last).push(new Map());
      return parent.get(last).at(-1);
    }
    return this.descend(parent, [last]);
  }

  descend(table, keys) {
    for (const key of keys) {
      if (!table.has(key)) table.set(key, new Map());
      table = table.get(key);
      if (Array.isArray(table)) table = table.at(-1);
      if (!(table instanceof Map)) this.fail();
    }
    return table;
  }

  pair(table) {
    const keys = this.keys();
    const last = keys.pop();
    const parent = this.descend(table, keys);
    this.take("=");
    this.blanks();
    if (parent.has(last)) this.fail();
    parent.set(last, this.value());
  }

  keys() {
    const keys = [];
    do {
      if (keys.length > 0) this.take(".");
      this.blanks();
      const quote = this.peek();
      keys.push(quote === '"' || quote === "'" ? this.string(false) : (this.match(/[A-Za-z0-9_-]+/y) ?? this.fail()));
      this.blanks();
    } while (this.peek() === ".");
    return keys;
  }

  value() {
    const first = this.peek();
    if (first === '"' || first === "'") return this.string(true);
    if (first === "[") return this.array();
    if (first === "{") return this.inlineTable();
    const word = this.match(/[A-Za-z0-9_+.:-]+(?: [0-9][0-9:.]+)?/y) ?? this.fail();
    return word === "true" ? true : word === "false" ? false : { word };
  }

  array() {
    const values = [];
    this.take("[");
    for (this.space(); this.peek() !== "]"; this.space()) {
      values.push(this.value());
      this.space();
      if (this.peek() !== "]") this.take(",");
    }
    this.take("]");
    return values;
  }

  inlineTable() {
    const table = new Map();
    this.take("{");
    this.blanks();
    while (this.peek() !== "}") {
      this.pair(table);
      this.blanks();
      if (this.peek() !== "}") this.take(",");
      this.blanks();
    }
    this.take("}");
    return table;
  }

  string(mayHaveLines) {
    const quote = this.peek();
    const long = this.peek(3) === quote.repeat(3);
    if (long && !mayHaveLines) this.fail();
    const end = long ? quote.repeat(3) : quote;
    this.take(end);
    if (long) this.match(/\n/y);
    let text = "";
    while (this.peek(end.length) !== end) {
      if (this.at >= this.text.length || (!long && this.peek() === "\n")) this.fail();
      text += quote === '"' && this.peek() === "\\" ? this.escape(long) : this.text[this.at++];
    }
    // Of five quotes at the end, two belong to the text.
    while (long && text.length > 0 && this.peek(4) === quote.repeat(4)) text += this.text[this.at++];
    this.take(end);
    return text;
  }

  escape(long) {
    this.take("\\");
    if (long && this.match(/[ \t]*\n[ \t\n]*/y) !== null) return "";
    const letter = this.text[this.at++];
    const plain = { b: "\b", t: "\t", n: "\n", f: "\f", r: "\r", '"': '"', "\\": "\\" };
    if (Object.hasOwn(plain, letter ?? "")) return plain[letter];
    const digits = letter === "u" ? this.match(/[0-9A-Fa-f]{4}/y) : letter === "U" ? this.match(/[0-9A-Fa-f]{8}/y) : null;
    const code = parseInt(digits ?? "", 16);
    if (!(code <= 0x10ffff) || (code >= 0xd800 && code <= 0xdfff)) this.fail();
    return String.fromCodePoint(code);
  }
}
