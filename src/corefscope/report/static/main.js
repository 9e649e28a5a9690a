/** The frame of the page: bar, tabs, filters, keys; the views do the rest. */
import { h, fill } from "./dom.js";
import { chunk } from "./store.js";
import { state, go, onChange, readAddress, setBounds } from "./state.js";
import { FACETS, facet, toggled } from "./facets.js";
import { renderOverview } from "./overview.js";
import { renderSystems } from "./systems.js";
import { renderErrors } from "./errors.js";
import { renderDocument } from "./document.js";
import { renderEntities } from "./entities.js";
import { renderNames } from "./names.js";
import { renderStatistics } from "./statistics.js";
import { renderData } from "./data.js";

/**
 * @typedef {object} Context
 * @property {any} summary
 * @property {any} errors
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

const KEYS = [
  ["g then o s e d n a t i", "open a tab"],
  ["j k", "next and previous error of the document"],
  ["J K", "next and previous document"],
  ["1 … 9", "choose a system"],
  ["v", "next view of the document"],
  ["/", "search errors"],
  ["Esc", "let go of what is pinned, close this"],
  ["?", "these keys"],
];

/** @param {Context} context */
function frame(context) {
  const { summary } = context;
  const bar = h("header.bar", { role: "banner" });
  const filters = h("div.filters", { role: "group", "aria-label": "Active filters" });
  const view = h("main.view", { id: "view", tabindex: "-1" });
  const help = helpDialog();
  fill(/** @type {HTMLElement} */ (document.getElementById("app")), skipButton(view), bar, filters, view, help);

  async function show() {
    drawBar(bar, context, help);
    drawFilters(filters, context);
    const [, title, , render] = TABS.find(([id]) => id === state().tab) ?? TABS[0];
    view.setAttribute("aria-label", title);
    await render(view, context);
    view.dataset.ready = state().tab;
  }
  onChange((now, before) => {
    if (now.tab !== before.tab) {
      delete view.dataset.ready;
      const hadFocus = view.contains(document.activeElement);
      view.replaceChildren();
      view.scrollTop = 0;
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

/** @param {HTMLElement} bar @param {Context} context @param {HTMLDialogElement} help */
function drawBar(bar, { summary }, help) {
  const focused = document.activeElement?.id;
  fill(
    bar,
    h("h1.title", { title: summary.title }, summary.title),
    h("nav", { "aria-label": "Views" },
      TABS.map(([id, title]) => h("button.tab", {
        id: `tab-${id}`, "aria-current": state().tab === id ? "page" : null, onclick: () => go({ tab: id }),
      }, title))),
    h("div.chips", { role: "group", "aria-label": "Systems" },
      summary.systems.map((/** @type {any} */ system, /** @type {number} */ number) => h("button.chip", {
        id: `system-${number}`, "aria-pressed": String(state().system === number),
        onclick: () => go({ system: number }),
      }, h("b", {}, system.letter), " ", system.name))),
    h("input.search", {
      id: "search", type: "search", placeholder: "Search errors (/)", "aria-label": "Search errors",
      value: state().search,
      onchange: (/** @type {any} */ event) => go({ search: event.target.value, tab: "errors" }),
    }),
    h("div.switches", {},
      h("button.theme", { id: "theme", onclick: switchTheme, title: "Light or dark", "aria-label": "Light or dark" }, "◐"),
      h("button.keys", { id: "keys", onclick: () => help.showModal(), title: "Keys (?)", "aria-label": "Keys" }, "?")),
  );
  if (focused) document.getElementById(focused)?.focus();
}

function switchTheme() {
  const root = document.documentElement;
  const isDark = root.dataset.theme
    ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = isDark ? "light" : "dark";
}

/** @param {HTMLElement} place @param {Context} context */
function drawFilters(place, { summary }) {
  const chips = Object.entries(state().filters).flatMap(([id, values]) =>
    FACETS.some((each) => each.id === id)
      ? values.map((value) => h("button.filter", {
        title: "Remove this filter",
        onclick: () => go({ filters: toggled(state().filters, id, value) }),
      }, `${facet(id).title}: ${facet(id).show(value, summary)} ✕`)) : []);
  if (state().search) {
    chips.push(h("button.filter", { onclick: () => go({ search: "" }) }, `contains “${state().search}” ✕`));
  }
  place.hidden = !chips.length;
  fill(place, chips, chips.length > 1 && h("button.clear", {
    onclick: () => go({ filters: {}, search: "" }),
  }, "Clear all"));
}

let isAfterG = false;

/** What takes letters itself; a box to tick does not. */
const TYPED_INTO = "input:not([type=checkbox], [type=radio]), textarea, select";

/** @param {KeyboardEvent} event @param {Context} context @param {HTMLDialogElement} help */
function onKey(event, { summary }, help) {
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
  } else if (/^[1-9]$/.test(event.key) && Number(event.key) <= summary.systems.length) {
    go({ system: Number(event.key) - 1 });
  } else document.dispatchEvent(new CustomEvent("view-key", { detail: event }));
}

async function start() {
  const [summary, errors] = await Promise.all([chunk("summary"), chunk("errors")]);
  frame({ summary, errors });
}

start();
