/** The toolbar above the text: the view, the left side, and the names of the sides. */
import { documentName, h, fill, numbered } from "../shared/dom.js";
import { go, option, withOption } from "../shared/state.js";
import { keyName, systemName } from "../shared/facets.js";
import { ledgerOf, lossOf } from "../shared/tagged.js";
import { SIDES } from "./model.js";
import { VIEWS, columnsIn } from "./open.js";
import { sideName } from "./wording.js";

/**
 * @typedef {import("./model.js").Side} Side
 * @typedef {import("./open.js").View} View
 */

/** @param {View} view */
export function drawTools(view) {
  const hasTimeline = option("document.timeline") === "on";
  fill(view.tools,
    h("div.doc-views", { role: "group", "aria-label": "View of the text (v)" },
      VIEWS.map(([id, title]) => h("button", {
        id: `doc-view-${id}`, "aria-pressed": String(view.mode === id), onclick: () => go({ view: id }),
      }, title))),
    leftPick(view),
    h("button.doc-toggle", {
      id: "doc-timeline-toggle", "aria-pressed": String(hasTimeline),
      onclick: () => go(withOption("document.timeline", hasTimeline ? "" : "on")),
    }, "Timeline"),
    h("span.doc-tools-name.soft", { title: view.model.text.name }, documentName(view.model.text.name)));
  view.root.classList.toggle("doc-spoken", view.model.text.speakers !== null);
  drawHeads(view);
}

/** The menu for the left side: the key or another system. @param {View} view */
function leftPick({ context: { summary }, model, mode, shown }) {
  if (summary.systems.length < 2) return null;
  return h("label.doc-left", {}, columnsIn(mode) === "two" ? "Left " : "Above ", h("select", {
    id: "doc-left", onchange: (/** @type {import("../shared/dom.js").Changed} */ event) => go(withOption("document.left", event.target.value)),
  }, h("option", { value: "", selected: shown.left === null }, keyName(summary)),
  summary.systems.map((_, number) => number !== model.system
    && h("option", { value: number, selected: shown.left === number }, systemName(summary, number)))));
}

/** @param {View} view */
function drawHeads(view) {
  const { context: { summary }, mode, shown } = view;
  const [left, right] = [sideName(summary, shown, "L"), sideName(summary, shown, "R")];
  view.heads.className = `doc-heads doc-${columnsIn(mode)}`;
  for (const side of SIDES) view.root.classList.toggle(`doc-failed-${side}`, ledgerIn(view, side)?.status === "failed");
  const head = (/** @type {string} */ name, /** @type {string} */ says) =>
    h("div.doc-head", {}, h("b", {}, name), h("span.soft", {}, says));
  const lost = (/** @type {Side} */ side) => lossOf(ledgerIn(view, side));
  const [ofLeft, ofRight] = SIDES.map((side) => [sizes(view, side), lost(side)].filter(Boolean).join("; "));
  const two = [head(left, ofLeft), head(right, ofRight)];
  const one = mode === "read" ? head("Text", "only the pinned entity")
    : head(`${left} and ${right}`, [`${left} above the words, ${right} below`, lost("R")].filter(Boolean).join("; "));
  fill(view.heads, h("div"), columnsIn(mode) === "two" ? two : one);
}

/** The ledger of the open document, if a side is tagged text. @param {View} view @param {Side} side */
function ledgerIn({ context: { summary }, shown }, side) {
  return ledgerOf(summary, side === "L" ? shown.left : shown.system, shown.text.name);
}

/** @param {View} view @param {Side} side */
function sizes({ shown }, side) {
  const entities = [...shown.entities.values()].filter((entity) => entity.side === side);
  const mentions = entities.reduce((sum, entity) => sum + entity.mentions.length, 0);
  return `${numbered(mentions, "mention")}, ${numbered(entities.length, "entity", "entities")}`;
}
