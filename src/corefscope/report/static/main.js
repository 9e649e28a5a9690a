/** The frame of the page: bar, tabs, filters and keyboard shortcuts. The views draw the rest. */
import { announce, copied, documentName, fill, h, keepFocus, visible } from "./shared/dom.js";
import { pendingWhile } from "./shared/pending.js";
import { failureOf, themeButton } from "./shared/frame.js";
import { common } from "./shared/store.js";
import { state, go, onChange, option, readAddress, setBounds, withOption } from "./shared/state.js";
import { FACETS, facet, forSystem, keyName, systemName, toggled, versus } from "./shared/facets.js";
import { render as renderOverview } from "./overview/view.js";
import { render as renderSystems } from "./systems/view.js";
import { render as renderErrors } from "./errors/view.js";
import { render as renderDocument } from "./document/view.js";
import { render as renderEntities } from "./entities/view.js";
import { render as renderNames } from "./names/view.js";
import { render as renderStatistics } from "./statistics/view.js";
import { render as renderData } from "./data/view.js";

/**
 * @typedef {import("./shared/facets.js").Context} Context
 */

/** @type {Array<[string, string, string, (root: HTMLElement, context: Context) => void | Promise<void>]>} */
const TABS = [
  ["overview", "Overview", "o", renderOverview],
  ["systems", "Systems", "s", renderSystems],
  ["errors", "Errors", "e", renderErrors],
  ["document", "Document", "d", renderDocument],
  ["entities", "Entities", "n", renderEntities],
  ["names", "Names", "a", renderNames],
  ["statistics", "Statistics", "t", renderStatistics],
  ["data", "Data", "i", renderData],
];

/** Views that use the filters. */
const FILTERED = ["overview", "systems", "errors", "document"];

const KEYS = [
  ["g then a letter", `open a tab: ${TABS.map(([, title, key]) => `${key} ${title}`).join(", ")}`],
  ["j k", "next and previous error, only of the pinned entity if one is pinned"],
  ["J K", "next and previous document"],
  ["1 … 9", "select a system; Shift-click a system to compare with it"],
  ["c", "compare with the next system"],
  ["v", "next view of the document"],
  ["x", "show only sentences that differ"],
  ["f n", "flag an error, add a note to it"],
  ["/", "search errors: Enter searches, Esc clears the search"],
  [".", "copy a link to this view"],
  ["Esc", "unpin, or close this dialog"],
  ["?", "show these keys"],
];

/** @param {Context} context */
function frame(context) {
  const { summary } = context;
  const bar = h("header.bar", { role: "banner" });
  const paper = h("div.print-head", { "aria-hidden": "true" });
  const filters = h("section.filters", { "aria-label": "Active filters" });
  const view = h("main.view", { id: "view", tabindex: "-1" });
  const help = helpDialog();
  const status = h("p.status", { id: "status", role: "status" });
  fill(/** @type {HTMLElement} */ (document.getElementById("app")),
    skipButton(view), paper, bar, filters, view, help, status);
  /** The scroll position of each view. @type {Map<string, number>} */
  const scrolled = new Map();
  let shows = 0;

  async function show() {
    const turn = ++shows;
    drawBar(bar, context, help);
    drawPrintHead(paper, summary);
    drawFilters(filters, context, view);
    const [tab, title, , render] = TABS.find(([id]) => id === state().tab) ?? TABS[0];
    view.setAttribute("aria-label", title);
    const failure = await failureOf(() => render(view, context));
    // A newer call draws the current state.
    if (turn !== shows) return;
    if (failure) fill(view, failure);
    if (view.dataset.ready !== tab) view.scrollTop = scrolled.get(tab) ?? 0;
    view.dataset.ready = tab;
  }
  onChange((now, before) => {
    // Another annotator in the place of the key has other errors and entities: nothing drawn remains.
    if (summary.agreement && referenceIn(summary) !== summary.reference) return location.reload();
    if (now.tab !== before.tab) {
      scrolled.set(before.tab, view.scrollTop);
      delete view.dataset.ready;
      const hadFocus = view.contains(document.activeElement);
      view.replaceChildren();
      // The focused element is gone: screen readers continue in the new view, not at the top of the page.
      if (hadFocus) view.focus({ preventScroll: true });
    }
    pendingWhile(show);
  });
  window.addEventListener("popstate", readAddress);
  document.addEventListener("keydown", (event) => onKey(event, context, help));
  document.title = visible(summary.title);
  setBounds({
    tabs: TABS.map(([id]) => id), documents: summary.documents.length, systems: summary.systems.length,
  });
  readAddress();
}

/** The first stop of the Tab key, visible only when focused: it skips the bar. @param {HTMLElement} view */
function skipButton(view) {
  return h("button.skip", { id: "skip", onclick: () => view.focus() }, "Skip to the view");
}

let areKeysOn = true;

/** Keyboard shortcuts; they can be turned off, because speech input may type letters by accident. */
function helpDialog() {
  const dialog = /** @type {HTMLDialogElement} */ (h("dialog.help", { "aria-labelledby": "help-title" },
    h("h2", { id: "help-title" }, "Keyboard shortcuts"), keyTable(),
    h("label.help-switch", {}, h("input", {
      id: "keys-on", type: "checkbox", checked: true,
      onchange: (/** @type {import("./shared/dom.js").Changed} */ event) => { areKeysOn = event.target.checked; },
    }), " Keyboard shortcuts are on"),
    h("button.chip", { id: "help-close", autofocus: true, onclick: () => dialog.close() }, "Close")));
  return dialog;
}

function keyTable() {
  return h("dl", {}, KEYS.map(([keys, what]) => [h("dt", {}, keys), h("dd", {}, what)]));
}

/** The heading of a printed view, which has no bar. @param {HTMLElement} paper @param {import("./types.js").Summary} summary */
function drawPrintHead(paper, summary) {
  const named = summary.systems.map((_, number) => systemName(summary, number));
  const { tab, system, document: number } = state();
  const opened = tab === "document" && summary.documents[number];
  fill(paper, h("b", {}, summary.title),
    h("span", {}, `Active system: ${named[system]}`, opened && ` · Document: ${documentName(opened.name)}`,
      summary.redacted && " · Words are masked"),
    h("span", {}, summary.agreement && `Reference: ${keyName(summary)} · `, `${named.join(", ")} · ${summary.signature}`));
}

/** @param {HTMLElement} bar @param {Context} context @param {HTMLDialogElement} help */
function drawBar(bar, context, help) {
  const { summary } = context;
  keepFocus(() => fill(
    bar,
    h("h1.title", { title: summary.title }, summary.title),
    summary.redacted && h("span.masked", {
      title: "This report was made with --redact: letters are replaced by x; all numbers are those of the original text",
    }, "Words are masked"),
    h("nav", { "aria-label": "Views" },
      TABS.map(([id, title]) => h("button.tab", {
        id: `tab-${id}`, "aria-current": state().tab === id ? "page" : null, onclick: () => go({ tab: id }),
      }, title))),
    summary.agreement && referenceSelect(summary),
    h("div.chips", { role: "group", "aria-label": summary.agreement ? "Other annotators" : "Systems" },
      summary.systems.length > MOST_CHIPS ? systemSelects(context)
        : summary.systems.map((_, number) => systemChip(context, number))),
    searchBox(),
    h("div.switches", {},
      themeButton(),
      h("button.keys", { id: "keys", onclick: () => help.showModal(), title: "Keyboard shortcuts (?)", "aria-label": "Keyboard shortcuts" }, "?")),
  ));
}

/** Enter shows the results, Esc clears the search. */
function searchBox() {
  return h("input.search", {
    id: "search", type: "search", placeholder: "Search errors  /", "aria-label": "Search errors", value: state().search,
    oninput: (/** @type {import("./shared/dom.js").Changed} */ event) => { if (!event.target.value && state().search) go({ search: "" }); },
    onkeydown: (/** @type {KeyboardEvent & {target: HTMLInputElement}} */ event) => {
      if (event.isComposing || !["Enter", "Escape"].includes(event.key)) return;
      event.preventDefault();
      go(event.key === "Enter" ? { search: event.target.value, tab: "errors" } : { search: "" });
      const place = document.getElementById(event.key === "Enter" ? "errors-table" : "view");
      place?.focus({ preventScroll: true });
      // Make the first row active, as the Home key does.
      if (event.key === "Enter") place?.dispatchEvent(new KeyboardEvent("keydown", { key: "Home" }));
    },
  });
}

/** The number of the annotator that the address puts in the place of the key. @param {import("./types.js").Summary} summary */
function referenceIn({ agreement }) {
  const asked = option("reference");
  return /^\d+$/.test(asked) && Number(asked) < (agreement?.annotators.length ?? 0) ? Number(asked) : 0;
}

/** A menu for the annotator in the place of the key; a page without an address has only the first. @param {import("./types.js").Summary} summary */
function referenceSelect(summary) {
  const { agreement, reference } = summary;
  return h("label.reference", { title: "The annotator that the others are compared with, in the place of the key" }, "Reference ",
    h("select.panel-select", {
      id: "reference", disabled: location.protocol === "about:",
      onchange: (/** @type {import("./shared/dom.js").Changed} */ event) => go({
        system: 0, versus: null, error: null, entity: null, filters: {}, search: "",
        ...withOption("reference", event.target.value === "0" ? "" : event.target.value),
      }),
    }, agreement?.annotators.map((name, number) => h("option", { value: number, selected: number === reference }, name))));
}

/** With more systems than this, chips would leave no room for the view. */
const MOST_CHIPS = 8;

/** Menus for the active system and the system to compare it with. @param {Context} context */
function systemSelects(context) {
  const { summary } = context;
  const active = state().system;
  const numbers = [...summary.systems.keys()];
  return [
    systemSelect(summary, "system-choice", "Active system", numbers, active, (to) => go(forSystem(context, to))),
    h("span.soft", {}, "against"),
    systemSelect(summary, "system-versus", "System to compare it with", numbers.filter((each) => each !== active),
      versus(), (to) => go({ versus: to }))];
}

/**
 * @param {import("./types.js").Summary} summary @param {string} id @param {string} label @param {number[]} numbers @param {number} chosen
 * @param {(to: number) => void} choose
 */
function systemSelect(summary, id, label, numbers, chosen, choose) {
  return h("select.panel-select", {
    id, "aria-label": label, title: label, onchange: (/** @type {import("./shared/dom.js").Changed} */ event) => choose(Number(event.target.value)),
  }, numbers.map((number) => h("option", { value: number, selected: number === chosen }, systemName(summary, number))));
}

/** A button that selects a system or, with Shift, compares the active one with it. @param {Context} context @param {number} number */
function systemChip(context, number) {
  const { summary } = context;
  const isActive = state().system === number;
  const isOther = !isActive && summary.systems.length > 1 && versus() === number;
  return h(isOther ? "button.chip.chip-versus" : "button.chip", {
    id: `system-${number}`, "aria-pressed": String(isActive),
    title: isActive ? "The active system" : "Select this system; Shift-click to compare the active system with it",
    onclick: (/** @type {MouseEvent} */ event) =>
      go(event.shiftKey && !isActive ? { versus: number } : forSystem(context, number)),
  }, h("b", {}, summary.systems[number].letter), " ", summary.systems[number].name);
}

/** @param {HTMLElement} place @param {Context} context @param {HTMLElement} view */
function drawFilters(place, context, view) {
  const hadFocus = place.contains(document.activeElement);
  const chips = filterChips(context);
  place.hidden = !chips.length;
  const isHere = FILTERED.includes(state().tab);
  // Chips are numbered: when one is removed, the next one gets its number and thus the focus.
  chips.forEach((chip, number) => { chip.id = `filter-${number}`; });
  keepFocus(() => fill(place,
    h("span.soft", {}, isHere ? "Filters" : "Filters (ignored in this tab)"), chips,
    h("button.clear", { id: "filters-clear", onclick: () => go({ filters: {}, search: "", ...withOption("errors.flagged", "") }) },
      chips.length > 1 ? "Clear all" : "Clear")));
  if (hadFocus && !place.contains(document.activeElement)) (chips.at(-1) ?? view).focus({ preventScroll: true });
}

/** The active filters as buttons that remove them. Several systems and flags apply only to the table. @param {Context} context */
function filterChips(context) {
  const isTable = state().tab === "errors";
  const known = Object.entries(state().filters)
    .filter(([id]) => FACETS.some((each) => each.id === id) && (isTable || id !== "system"));
  const chips = known.flatMap(([id, values]) => values.map((value) => h("button.filter", {
    title: "Remove this filter", onclick: () => go({ filters: toggled(state().filters, id, value) }),
  }, `${facet(id).title(context)}: ${facet(id).show(value, context)} ✕`)));
  const others = [
    state().search && h("button.filter", { onclick: () => go({ search: "" }) }, `contains “${state().search}” ✕`),
    isTable && option("errors.flagged")
      && h("button.filter", { onclick: () => go(withOption("errors.flagged", "")) }, "Flagged ✕"),
  ];
  return [...chips, ...others.filter((chip) => chip instanceof HTMLElement)];
}

/** Compare the active system with the next other system. @param {import("./types.js").Summary} summary */
function compareWithNext(summary) {
  const others = [...summary.systems.keys()].filter((number) => number !== state().system);
  const next = others[(others.indexOf(versus()) + 1) % others.length];
  if (next === undefined) return;
  go({ versus: next });
  announce(`Compared with ${systemName(summary, next)}.`);
}

async function copyLink() {
  if (location.protocol === "about:") return announce("A report inside another page has no address of its own.");
  announce(await copied(location.href) ? "Link copied." : `Copy the link from the address bar: ${location.href}`);
}

let isAfterG = false;

/** Elements that take typed letters; checkboxes do not. */
const TYPED_INTO = "input:not([type=checkbox], [type=radio]), textarea, select";

/** @param {KeyboardEvent} event @param {Context} context @param {HTMLDialogElement} help */
function onKey(event, context, help) {
  const target = /** @type {HTMLElement} */ (event.target);
  if (target.closest(TYPED_INTO) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (help.open || (!areKeysOn && event.key !== "Escape")) return;
  if (isAfterG) {
    isAfterG = false;
    const tab = TABS.find(([, , key]) => key === event.key);
    if (tab) return go({ tab: tab[0] });
  }
  if (event.key === "g") isAfterG = true;
  else if (event.key === "?") help.showModal();
  else if (event.key === "/") {
    event.preventDefault();
    document.getElementById("search")?.focus();
  } else if (event.key === ".") copyLink();
  else if (event.key === "c") compareWithNext(context.summary);
  else if (/^[1-9]$/.test(event.key) && Number(event.key) <= context.summary.systems.length) {
    go(forSystem(context, Number(event.key) - 1));
  } else document.dispatchEvent(new CustomEvent("view-key", { detail: event }));
}

async function start() {
  const failure = await failureOf(async () => {
    const asked = new URLSearchParams(location.hash.slice(1)).get("o.reference") ?? "";
    const [summary, errors] = await common(asked);
    frame({ summary, errors });
  });
  if (failure) fill(/** @type {HTMLElement} */ (document.getElementById("app")), failure);
}

start();
