/** The frame of the page: bar, tabs, filters, keys; the views do the rest. */
import { announce, copied, fill, h } from "./dom.js";
import { chunk } from "./store.js";
import { state, go, onChange, readAddress, setBounds } from "./state.js";
import { FACETS, facet, forSystem, isFiltered, toggled, versus } from "./facets.js";
import { renderOverview } from "./overview.js";
import { renderSystems } from "./systems.js";
import { renderErrors } from "./errors.js";
import { renderDocument } from "./document.js";
import { renderEntities } from "./entities.js";
import { renderNames } from "./names.js";
import { renderStatistics } from "./statistics.js";
import { renderData } from "./data.js";

/**
 * @typedef {import("./facets.js").Context} Context
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

/** Views that show errors, which filters choose from. */
const FILTERED = ["overview", "systems", "errors", "document"];

const KEYS = [
  ["g then o s e d n a t i", "open a tab"],
  ["j k", "next and previous error; of the pinned entity, if one is pinned"],
  ["J K", "next and previous document"],
  ["1 … 9", "choose a system; with Shift and the mouse, the one to compare it with"],
  ["v", "next view of the document"],
  ["x", "only the sentences that differ"],
  ["f n", "flag an error of the table, write a note on it"],
  ["/", "search errors"],
  [".", "copy a link to what is shown"],
  ["Esc", "let go of what is pinned, close this"],
  ["?", "these keys"],
];

/** @param {Context} context */
function frame(context) {
  const { summary } = context;
  const bar = h("header.bar", { role: "banner" });
  const filters = h("section.filters", { "aria-label": "Active filters" });
  const view = h("main.view", { id: "view", tabindex: "-1" });
  const help = helpDialog();
  const status = h("p.status", { id: "status", role: "status" });
  fill(/** @type {HTMLElement} */ (document.getElementById("app")),
    skipButton(view), printHead(summary), bar, filters, view, help, status);
  /** Where each view was left. @type {Map<string, number>} */
  const scrolled = new Map();

  async function show() {
    drawBar(bar, context, help);
    drawFilters(filters, context);
    const [, title, , render] = TABS.find(([id]) => id === state().tab) ?? TABS[0];
    view.setAttribute("aria-label", title);
    await render(view, context);
    if (view.dataset.ready !== state().tab) view.scrollTop = scrolled.get(state().tab) ?? 0;
    view.dataset.ready = state().tab;
  }
  onChange((now, before) => {
    if (now.tab !== before.tab) {
      scrolled.set(before.tab, view.scrollTop);
      delete view.dataset.ready;
      const hadFocus = view.contains(document.activeElement);
      view.replaceChildren();
      // What had the focus is gone: readers of the screen go on in the new view, not at the top of the page.
      if (hadFocus) view.focus({ preventScroll: true });
    }
    show();
  });
  window.addEventListener("popstate", readAddress);
  document.addEventListener("keydown", (event) => onKey(event, context, help));
  document.title = summary.title;
  setBounds({
    tabs: TABS.map(([id]) => id), documents: summary.documents.length, systems: summary.systems.length,
  });
  readAddress();
}

/** The first stop of the Tab key, seen only there: past the bar. @param {HTMLElement} view */
function skipButton(view) {
  return h("button.skip", { id: "skip", onclick: () => view.focus() }, "Skip to the view");
}

let areKeysOn = true;

/** The keys; they can be turned off, since who dictates to the computer types letters without wishing to. */
function helpDialog() {
  const dialog = /** @type {HTMLDialogElement} */ (h("dialog.help", { "aria-labelledby": "help-title" },
    h("h2", { id: "help-title" }, "Keys"), keyTable(),
    h("label.help-switch", {}, h("input", {
      id: "keys-on", type: "checkbox", checked: true,
      onchange: (/** @type {any} */ event) => { areKeysOn = event.target.checked; },
    }), " Keys are on"),
    h("button.chip", { id: "help-close", onclick: () => dialog.close() }, "Close")));
  return dialog;
}

function keyTable() {
  return h("dl", {}, KEYS.map(([keys, what]) => [h("dt", {}, keys), h("dd", {}, what)]));
}

/** What stands above a view on paper, where there is no bar. @param {any} summary */
function printHead(summary) {
  const named = summary.systems.map((/** @type {any} */ each) => `${each.letter} ${each.name}`).join(", ");
  return h("div.print-head", { "aria-hidden": "true" },
    h("b", {}, summary.title), h("span", {}, `${named} · ${summary.signature}`));
}

/** @param {HTMLElement} bar @param {Context} context @param {HTMLDialogElement} help */
function drawBar(bar, context, help) {
  const { summary } = context;
  const focused = document.activeElement?.id;
  fill(
    bar,
    h("h1.title", { title: summary.title }, summary.title),
    h("nav", { "aria-label": "Views" },
      TABS.map(([id, title]) => h("button.tab", {
        id: `tab-${id}`, "aria-current": state().tab === id ? "page" : null, onclick: () => go({ tab: id }),
      }, title))),
    h("div.chips", { role: "group", "aria-label": "Systems" },
      summary.systems.map((/** @type {any} */ _, /** @type {number} */ number) => systemChip(context, number))),
    h("input.search", {
      id: "search", type: "search", placeholder: "Search errors  /", "aria-label": "Search errors",
      value: state().search,
      onchange: (/** @type {any} */ event) => go({ search: event.target.value, tab: "errors" }),
    }),
    h("div.switches", {},
      h("button.theme", { id: "theme", onclick: switchTheme, title: "Light or dark", "aria-label": "Light or dark" }, "◐"),
      h("button.keys", { id: "keys", onclick: () => help.showModal(), title: "Keys (?)", "aria-label": "Keys" }, "?")),
  );
  if (focused) document.getElementById(focused)?.focus();
}

/** A system to choose, or with Shift to compare the active one with. @param {Context} context @param {number} number */
function systemChip(context, number) {
  const { summary } = context;
  const isActive = state().system === number;
  const isOther = !isActive && summary.systems.length > 1 && versus(summary) === number;
  return h(isOther ? "button.chip.chip-versus" : "button.chip", {
    id: `system-${number}`, "aria-pressed": String(isActive),
    title: isActive ? "The active system" : "Choose this system; Shift and click: compare the active one with it",
    onclick: (/** @type {MouseEvent} */ event) =>
      go(event.shiftKey && !isActive ? { versus: number } : forSystem(context, number)),
  }, h("b", {}, summary.systems[number].letter), " ", summary.systems[number].name);
}

function switchTheme() {
  const root = document.documentElement;
  const isDark = root.dataset.theme
    ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = isDark ? "light" : "dark";
}

/** @param {HTMLElement} place @param {Context} context */
function drawFilters(place, context) {
  const chips = Object.entries(state().filters).flatMap(([id, values]) =>
    FACETS.some((each) => each.id === id)
      ? values.map((value) => h("button.filter", {
        title: "Remove this filter",
        onclick: () => go({ filters: toggled(state().filters, id, value) }),
      }, `${facet(id).title(context)}: ${facet(id).show(value, context)} ✕`)) : []);
  if (state().search) {
    chips.push(h("button.filter", { onclick: () => go({ search: "" }) }, `contains “${state().search}” ✕`));
  }
  place.hidden = !isFiltered();
  const isHere = FILTERED.includes(state().tab);
  fill(place, h("span.soft", {}, isHere ? "Only errors with" : "Not used here; errors elsewhere are shown with"), chips,
    h("button.clear", { onclick: () => go({ filters: {}, search: "" }) }, chips.length > 1 ? "Clear all" : "Clear"));
}

async function copyLink() {
  announce(await copied(location.href) ? "Link copied." : `Copy it from the address bar: ${location.href}`);
}

let isAfterG = false;

/** What takes letters itself; a box to tick does not. */
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
  else if (/^[1-9]$/.test(event.key) && Number(event.key) <= context.summary.systems.length) {
    go(forSystem(context, Number(event.key) - 1));
  } else document.dispatchEvent(new CustomEvent("view-key", { detail: event }));
}

async function start() {
  const [summary, errors] = await Promise.all([chunk("summary"), chunk("errors")]);
  frame({ summary, errors });
}

start();
