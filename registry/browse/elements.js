// Parts of the document. All text goes in as text: nothing from outside is ever read as markup.

/** A new element; children are elements, or text. */
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children.filter((child) => child !== null));
  return made;
}

/** A link to a place of this page. */
function pageLink(fragment, text, attributes = {}) {
  return element("a", { href: `#${fragment}`, ...attributes }, text);
}

function packageFragment(name, version = null) {
  const path = name.split("/").map(encodeURIComponent).join("/").replaceAll("%40", "@");
  return `/package/${path}${version === null ? "" : `@${encodeURIComponent(version)}`}`;
}

/** {name, version} of a package's fragment, undefined for others. */
function packageOfFragment(fragment) {
  const found = /^\/package\/(@?[^@]+)(?:@(.+))?$/.exec(fragment);
  if (!found) return undefined;
  try {
    return { name: decodeURIComponent(found[1]), version: found[2] === undefined ? null : decodeURIComponent(found[2]) };
  } catch {
    return undefined;
  }
}

/** Says something to those who do not see it change. */
function announce(text) {
  document.getElementById("status").textContent = text;
}

/** Browsers have a clipboard only over https and on this machine itself: elsewhere the text is selected and copied. */
async function copyText(text, shownIn) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const range = document.createRange();
    range.selectNodeContents(shownIn);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    return document.execCommand("copy");
  }
}

/** A command with a button that copies it. */
function commandBlock(label, command) {
  const code = element("code", {}, command);
  const button = element("button", { type: "button", "aria-label": `Copy: ${label}` }, "Copy");
  button.addEventListener("click", async () => {
    const done = await copyText(command, code);
    button.textContent = done ? "Copied" : "Selected";
    announce(done ? `Copied: ${label}` : `Selected: ${label}. Copy it with the keyboard.`);
  });
  return element("div", { class: "command" }, element("pre", { tabindex: "0", role: "group", "aria-label": label }, code), button);
}

/** A section with a heading. */
function section(id, heading, ...children) {
  return element("section", { "aria-labelledby": id }, element("h2", { id }, heading), ...children);
}

function note(...children) {
  return element("p", { class: "note" }, ...children);
}

function plural(count, word) {
  return `${String(count).replace(/\B(?=(\d{3})+$)/g, ",")} ${word}${count === 1 ? "" : "s"}`;
}
