// The list of packages, and the search in it.

/** So many at a time, however many there are. */
const listedAtOnce = 50;

class Listing {
  constructor(registry) {
    this.registry = registry;
    this.field = document.getElementById("search");
    this.list = document.getElementById("packages");
    this.more = document.getElementById("more");
    this.empty = document.getElementById("empty");
    this.field.addEventListener("input", () => {
      history.replaceState(null, "", this.fragment());
      this.show(this.field.value);
    });
    this.field.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.list.querySelector("a")?.focus();
    });
    this.more.addEventListener("click", () => this.append().querySelector("a").focus());
  }

  fragment() {
    const query = this.field.value.trim();
    return query === "" ? "#/" : `#/search/${encodeURIComponent(query)}`;
  }

  /** Shows what is found. */
  show(query) {
    if (this.field.value !== query) this.field.value = query;
    this.found = this.registry.find(query);
    this.next = 0;
    this.list.replaceChildren();
    const count = this.found.length;
    this.empty.hidden = count > 0;
    this.empty.textContent =
      query.trim() === "" ? "Nothing has been published here yet." : "No package has all of these words. Try fewer of them.";
    if (count > 0) this.append();
    else this.more.hidden = true;
    const said = query.trim() === "" ? plural(count, "package") : `${plural(count, "package")} found`;
    document.getElementById("count").textContent = said;
    announce(said);
  }

  /** The next ones; gives the first of them. */
  append() {
    const added = this.found.slice(this.next, this.next + listedAtOnce).map((brief) => this.row(brief));
    this.list.append(...added);
    this.next += added.length;
    const left = this.found.length - this.next;
    this.more.hidden = left === 0;
    this.more.textContent = `Show ${Math.min(left, listedAtOnce)} more of ${plural(left, "package")}`;
    return added[0];
  }

  row(brief) {
    const version =
      brief.latest === null
        ? element("span", { class: "badge warning" }, "taken back")
        : element("span", { class: "version" }, shown(brief.latest, 40));
    return element(
      "li",
      {},
      element("h2", {}, pageLink(packageFragment(brief.name), brief.name), " ", version),
      brief.summary === "" ? null : element("p", { dir: "auto" }, shown(brief.summary)),
      brief.triggers.length === 0
        ? null
        : element("p", { class: "triggers" }, `Triggers: ${brief.triggers.slice(0, 8).map((each) => shown(each, 60)).join(", ")}`),
    );
  }
}
