// What is shown at which address: "#/", "#/search/WORDS", "#/package/NAME", "#/package/NAME@VERSION".

class Page {
  constructor(registry) {
    this.registry = registry;
    this.listing = new Listing(registry);
    this.listView = document.getElementById("list-view");
    this.packageView = document.getElementById("package-view");
    this.place = document.getElementById("place").textContent;
    this.visit = 0;
    addEventListener("hashchange", () => this.go(false));
  }

  /** `first`: the page was just opened, and nobody moved the focus yet. */
  async go(first) {
    const visit = ++this.visit;
    const fragment = location.hash.slice(1);
    const asked = packageOfFragment(fragment);
    if (asked === undefined) return this.showList(fragment, first);
    this.listView.hidden = true;
    this.packageView.hidden = false;
    this.packageView.setAttribute("aria-busy", "true");
    const parts = await this.packageParts(asked);
    if (visit !== this.visit) return;
    this.packageView.replaceChildren(...parts);
    this.packageView.removeAttribute("aria-busy");
    this.opened = asked.name;
    document.title = `${shown(asked.name, 100)} – ${this.place}`;
    scrollTo(0, 0);
    this.packageView.querySelector("h1").focus({ preventScroll: true });
    announce("");
  }

  async packageParts({ name, version }) {
    try {
      const view = new PackageView(this.registry, name, await this.registry.versionsOf(name));
      const release = view.choose(version);
      if (release === undefined) throw new Unreadable(`${shown(name)} has no version ${shown(version ?? "")}.`);
      return view.build(release, await this.fingerprint());
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      return [
        element("nav", { "aria-label": "Back" }, pageLink("/", "All packages", { class: "back" })),
        element("h1", { tabindex: "-1" }, "This cannot be shown"),
        element("p", {}, error.message),
      ];
    }
  }

  async fingerprint() {
    try {
      return await this.registry.fingerprint();
    } catch (error) {
      if (error instanceof Unreadable) return null;
      throw error;
    }
  }

  showList(fragment, first) {
    this.packageView.hidden = true;
    this.packageView.replaceChildren();
    this.listView.hidden = false;
    document.title = this.place;
    const words = /^\/search\/(.*)$/.exec(fragment);
    let query = "";
    try {
      query = words ? decodeURIComponent(words[1]) : "";
    } catch {
      query = "";
    }
    this.listing.show(query);
    if (first) return;
    // Back from a package, the focus is where it was.
    const link = [...this.listing.list.querySelectorAll("a")].find((each) => each.textContent === this.opened);
    (link ?? this.listing.field).focus();
  }
}

function expiryText(registry) {
  if (registry.expires === null) return "";
  return registry.expires < new Date()
    ? `What this registry has signed expired on ${dateText(registry.expires)}: the program will refuse it until its keepers sign it anew.`
    : `Signed until ${dateText(registry.expires)}.`;
}

async function start() {
  // The address is where the reader is on this page: it must not become that of a mark in the text.
  document.getElementById("skip").addEventListener("click", (event) => {
    event.preventDefault();
    document.getElementById("content").focus();
  });
  const place = location.host + registryUrl.pathname.replace(/\/$/, "");
  document.getElementById("place").textContent = place;
  document.title = place;
  const problem = document.getElementById("problem");
  try {
    const registry = await Registry.load();
    document.getElementById("expires").textContent = expiryText(registry);
    if (registry.incomplete) {
      problem.hidden = false;
      problem.textContent = "The search index is older than some packages, which are missing here. The program finds them.";
    }
    document.getElementById("list-view").hidden = false;
    await new Page(registry).go(true);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    problem.hidden = false;
    problem.textContent = `The registry cannot be shown. ${error.message}`;
  } finally {
    document.body.removeAttribute("aria-busy");
    document.getElementById("loading").hidden = true;
  }
}

start();
