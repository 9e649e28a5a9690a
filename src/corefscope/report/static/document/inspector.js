/** The inspector: the selected error, its entity, the entities that it is confused with, and their errors. */
import { announce, h, fill, keepFocus, label, numbered, typeMark } from "../shared/dom.js";
import { state, go } from "../shared/state.js";
import { forSystem, known, systemName } from "../shared/facets.js";
import { noteInput, remarkOn, toggleFlag } from "../shared/remarks.js";
import { partWords } from "./words.js";
import { partsOfError } from "./parts.js";
import { focusedEntity, pin, openError, steps } from "./open.js";
import { costText, mateOf, statusText, signsOf, sideName } from "./wording.js";
import { listWindow, nextRow, tickLines } from "./navigator.js";
import { centre } from "./scroll.js";
import { alluvial, groupOf, groupText, nearFirst, MOST_BLOCKS } from "./group.js";
import { copyButton, latex } from "./copy.js";
import { legend } from "./legend.js";

/**
 * @typedef {import("./model.js").Mention} Mention
 * @typedef {import("./model.js").Entity} Entity
 * @typedef {import("./model.js").Model} Model
 * @typedef {import("./open.js").View} View
 * @typedef {import("./group.js").Group} Group
 */

const MOST_SHOWN = 16;
const MOST_ERRORS = 40;

/** @param {View} view */
export function drawInspector(view) {
  const entity = focusedEntity(view);
  const drawn = `${view.drawn} ${entity?.tag} ${view.selected} ${view.lost} ${state().entity} ${view.listed}`;
  if (view.inspected === drawn) return;
  const top = view.inspectedTag === entity?.tag ? view.inspector.scrollTop : 0;
  view.inspected = drawn;
  view.inspectedTag = entity?.tag ?? "";
  const isOpen = Boolean(view.inspector.querySelector("#doc-legend[open]")) || !entity;
  fill(view.inspector, lostError(view), entity ? inspect(view, entity) : welcome(view),
    legend(view.shown, isOpen));
  view.inspector.scrollTop = top;
}

/** @param {View} view */
function welcome(view) {
  const pinned = state().entity;
  return h("div.doc-card", {}, h("h2", {}, "Inspector"),
    pinned !== null && h("p", {}, `This document has no entity ${pinned}.`),
    h("p.soft", {}, "Click a mention or its tag to pin its entity. Press ", h("kbd", {}, "j"),
      " for the next error. This panel shows entities that share mentions, and the errors between them."),
    view.rows.length > 0 && h("button.doc-button", {
      id: "doc-first", onclick: () => openError(view, view.rows[0]),
    }, "First error"));
}

/** A note if the active system does not make the error that was shown for another system. @param {View} view */
function lostError(view) {
  const { context: { errors, summary }, lost, model } = view;
  if (lost === null) return null;
  return h("div.doc-card.doc-lost", { role: "status" }, h("p", {},
    h("b", {}, `${systemName(summary, model.system)} does not make this error: `),
    h("span", { dir: "auto" }, errors.description[lost]), ` (${label(errors.type[lost])})`), makersOf(view, lost));
}

/** The systems that make an error, as buttons that show it there. @param {View} view @param {number} row */
function makersOf({ context }, row) {
  const { summary } = context;
  if (summary.systems.length < 2) return null;
  const makers = known(context).makers[row].split(" ");
  const [made, others] = [/** @type {HTMLElement[]} */ ([]), /** @type {HTMLElement[]} */ ([])];
  summary.systems.forEach(({ letter }, number) => {
    const name = systemName(summary, number);
    (makers.includes(letter) ? made : others).push(h("button.doc-maker", {
      id: `doc-maker-${number}`, title: `Show it in ${name}`, "aria-label": name,
      "aria-pressed": String(state().system === number), onclick: () => go(forSystem(context, number, row)),
    }, letter));
  });
  return h("p.doc-makers.soft", {}, h("span", {}, "Made by"), made,
    others.length > 0 && [h("span", {}, "not by"), others]);
}

/** @param {View} view @param {Entity} entity */
function inspect(view, entity) {
  if (!view.model.entities.has(entity.tag)) return ofOther(view, entity);
  const group = groupOf(view, entity);
  const { errors } = view.context;
  const row = view.selected;
  return [
    row !== null && h("div.doc-card", { id: "doc-selected" },
      h("h2", {}, h("span.doc-glyph", { "aria-hidden": "true" }, typeMark(errors.type[row])), " ",
        label(errors.type[row])),
      h("p", { dir: "auto" }, errors.description[row]), makersOf(view, row), remark(view, row),
      buttons(view, entity)),
    h("div.doc-card", {}, entityHead(view.model, entity), h("p.soft.doc-small", {}, groupText(group)),
      alluvial(view.model, group, entity), keyChips(view, group, entity),
      row === null && buttons(view, entity)),
    entityBlocks(view, group, entity), operations(view, group),
  ];
}

/** @param {Model} model @param {Entity} entity */
function entityHead(model, entity) {
  const cost = costText(model, entity);
  return [
    h("div.doc-inspect-head", {}, h(`span.doc-chip.doc-hue-${entity.hue}`, {}, entity.tag),
      h("h2", { dir: "auto" }, entity.title)),
    h("p.doc-small", {}, numbered(entity.mentions.length, "mention"),
      cost && h("span", { title: "CoNLL is the mean of MUC, B³ and CEAFe over all documents" },
        ` · ${cost.replace(`${entity.tag} `, "")}`)),
  ];
}

/** An entity of the system on the left that is aligned with no key entity. @param {View} view @param {Entity} entity */
function ofOther(view, entity) {
  const { context, shown } = view;
  const mate = mateOf(shown, entity);
  const name = sideName(context.summary, shown, "L");
  const there = { error: null, entity: entity.tag.split("·")[0] };
  return h("div.doc-card", {}, entityHead(shown, entity),
    h("p", {}, `An entity of ${name}. It is aligned with no key entity`,
      mate && `; ${mate.tag} shares the most mentions with it`, "."),
    h("button.doc-button", {
      id: "doc-look-there", onclick: () => go({ ...forSystem(context, /** @type {number} */ (shown.left)), ...there }),
    }, `Show it in ${shown.letters.L}`));
}

/** The flag and the note of the selected error. @param {View} view @param {number} row */
function remark(view, row) {
  const { errors, summary } = view.context;
  const { flag, note } = remarkOn(errors, summary, row);
  return h("div.doc-remark", {},
    h("button.doc-button", {
      id: "doc-flag", "aria-pressed": String(flag), title: "Flag this error (f)", onclick: () => flagError(view),
    }, flag ? "★ Flagged" : "☆ Flag"),
    h("button.doc-button", {
      id: "doc-note", title: "Write a note on this error (n)",
      onclick: (/** @type {Event} */ event) => writeNote(view, event),
    }, "✎ Note"),
    h("bdi.doc-remark-note", {}, note));
}

/** Flag the selected error, or remove its flag. @param {View} view */
export function flagError(view) {
  const { context: { errors, summary }, selected } = view;
  if (selected === null) return announce("Select an error to flag it.");
  toggleFlag(errors, summary, selected);
  remarked(view);
  announce(remarkOn(errors, summary, selected).flag ? "Flagged." : "Flag removed.");
}

/** Write a note on the selected error, in its card. @param {View} view @param {Event} event */
export function writeNote(view, event) {
  const { context, selected } = view;
  if (selected === null) return announce("Select an error to write a note on it.");
  // The key that was pressed is not typed into the note.
  event.preventDefault();
  const { errors, summary } = context;
  const place = /** @type {HTMLElement | null} */ (view.inspector.querySelector(".doc-remark-note"));
  if (!place || !view.inspector.offsetParent) return announce("Open the inspector to write a note.");
  // Redraw only the note, and only when it loses the focus, so that the clicked button stays in place.
  const done = () => queueMicrotask(() => fill(place, remarkOn(errors, summary, selected).note));
  const input = noteInput(context, selected, done, () => view.scroll.focus({ preventScroll: true }));
  fill(place, input);
  input.focus();
}

/** Redraw everything that shows flags. @param {View} view */
function remarked(view) {
  view.inspected = "";
  keepFocus(() => drawInspector(view));
  listWindow(view);
  tickLines(view);
}

/** Buttons for the keys j and k. @param {View} view @param {Entity} entity */
function buttons(view, entity) {
  const { errors } = view.context;
  const rows = steps(view);
  const whose = rows === view.rows ? "error" : `error of ${state().entity}`;
  // Without a selected error, the next one depends on the visible text, which is not drawn yet.
  const isEnd = (/** @type {number} */ by) =>
    view.selected === null ? !rows.length : nextRow(view, by) === undefined;
  const step = (/** @type {string} */ id, /** @type {string} */ sign, /** @type {string} */ title,
    /** @type {number} */ by) => h("button.doc-button", {
    id, title, disabled: isEnd(by), onclick: () => openError(view, nextRow(view, by)),
  }, sign);
  const [{ first, parts, zero }] = entity.mentions;
  const { text, places } = view.model;
  /** @type {[number, import("./parts.js").Part[], import("./parts.js").ZeroPlace | null, string]} */
  const example = view.selected === null ? [first, parts, zero, entity.tag]
    : [errors.start[view.selected], partsOfError(text, errors, view.selected),
      places.get(errors.mark[view.selected] ?? -1) ?? null, errors.entity[view.selected]];
  return h("div.doc-buttons", {},
    step("doc-error-before", "‹ Previous", `Previous ${whose} (k)`, -1),
    step("doc-error-after", "Next ›", `Next ${whose} (j)`, 1),
    copyButton("doc-copy", "Copy link", "Link", () => location.href),
    copyButton("doc-latex", "Copy as LaTeX", "LaTeX", () => latex(view, ...example)));
}

/**
 * Buttons that pin the other key entities; response entities are below.
 * @param {View} view @param {Group} group @param {Entity} entity
 */
function keyChips(view, group, entity) {
  const shown = nearFirst(view.model, group.key, entity).filter((each) => each !== entity).slice(0, MOST_BLOCKS);
  return shown.length > 0 && h("div.doc-key-chips", { role: "group", "aria-label": "Key entities" },
    shown.map((each) => entityButton(each)));
}

/** @param {Entity} entity */
function entityButton({ tag, hue, title }) {
  return h(`button.doc-chip-button.doc-hue-${hue}`, {
    id: `doc-block-${tag}`, title: `Pin ${tag}`, "aria-pressed": String(state().entity === tag),
    onclick: () => pin(tag),
  }, h(`span.doc-chip.doc-hue-${hue}`, {}, tag), " ", h("bdi", {}, title));
}

/**
 * Response entities with their mentions, and the mentions that were not found.
 * @param {View} view @param {Group} group @param {Entity} entity
 */
function entityBlocks(view, group, entity) {
  const { model } = view;
  const tagOf = (/** @type {Mention} */ { key, status }) =>
    model.spans.L.get(key)?.map(({ tag }) => tag).join(" ") ?? signsOf(model)[status];
  const block = (/** @type {Entity} */ each) => mentionBlock(view, entityButton(each), each.hue, each.mentions, tagOf);
  const entities = nearFirst(model, group.response, entity);
  const [shown, rest] = [entities.slice(0, MOST_BLOCKS), entities.slice(MOST_BLOCKS)];
  const blocks = shown.map(block);
  if (rest.length) {
    blocks.push(h("button.link.doc-more", {
      onclick: (/** @type {import("../shared/dom.js").Changed} */ event) => event.currentTarget.replaceWith(...rest.map(block)),
    }, numbered(rest.length, "more entity", "more entities")));
  }
  const near = nearFirst(model, group.key, entity).slice(0, MOST_BLOCKS);
  const missing = near.flatMap((each) => each.mentions).filter(({ status }) => status === "missing");
  missing.sort((a, b) => a.first - b.first);
  if (missing.length) blocks.push(mentionBlock(view, notFound(missing), 0, missing, ({ tag }) => `${tag} ○`));
  return h("div.doc-card", {}, h("h3", {}, "Response entities"),
    h("p.soft.doc-small", {}, "Each mention with its key entity"),
    blocks.length ? blocks : h("p.soft", {}, "None."));
}

/** "Not found: 11 of K6, 2 of K4": a group has several entities. @param {Mention[]} missing */
function notFound(missing) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { tag } of missing) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  const parts = [...counts].sort((a, b) => b[1] - a[1]).map(([tag, count]) => `${count} of ${tag}`);
  return h("span", {}, h("b", {}, "Not found"), h("span.soft.doc-not-found", {}, ` ${parts.join(", ")}`));
}

/**
 * @param {View} view @param {HTMLElement} head @param {number} hue @param {Mention[]} mentions
 * @param {(mention: Mention) => string} tagOf
 */
function mentionBlock(view, head, hue, mentions, tagOf) {
  const { model } = view;
  const piece = (/** @type {Mention} */ mention) => h(`button.doc-piece.doc-is-${mention.status}`, {
    title: `${statusText(model, mention)}; show it in the text`, onclick: () => centre(view, mention.first),
  }, h("bdi", {}, partWords(model.text, mention.parts, 40)), " ",
  h(`sup.doc-hue-${hueOfTag(model, tagOf(mention), mention)}`, {}, tagOf(mention)));
  const [shown, rest] = [mentions.slice(0, MOST_SHOWN), mentions.slice(MOST_SHOWN)];
  return h(`div.doc-block.doc-hue-${hue}`, {}, h("div.doc-block-head", {}, head, h("span.soft", {}, mentions.length)),
    h("div.doc-pieces", {}, shown.map(piece)),
    rest.length > 0 && h("button.link", {
      onclick: (/** @type {import("../shared/dom.js").Changed} */ event) => event.currentTarget.replaceWith(h("div.doc-pieces", {}, rest.map(piece))),
    }, `${rest.length} more`));
}

/** @param {Model} model @param {string} tags @param {Mention} mention */
function hueOfTag(model, tags, mention) {
  return model.entities.get(tags.split(" ")[0])?.hue ?? mention.hue;
}

/** The errors between the entities, as sentences. @param {View} view @param {Group} group */
function operations(view, { key, response, rows }) {
  const { errors } = view.context;
  const at = rows.indexOf(view.selected ?? -1);
  const from = Math.max(0, Math.min(at - MOST_ERRORS / 2, rows.length - MOST_ERRORS));
  const shown = rows.slice(from, from + MOST_ERRORS);
  const whose = key.length + response.length > 1 ? "these entities" : "this entity";
  return h("div.doc-card", {},
    h("h3", {}, `${rows.length ? numbered(rows.length, "error") : "No errors"} of ${whose}`),
    h("ol.doc-operations", {}, shown.map((row, place) => h("li", {}, h("span.soft", {}, `${from + place + 1}.`),
      h("button.doc-operation", {
        id: `doc-operation-${row}`, "aria-current": row === view.selected ? "true" : null,
        onclick: () => openError(view, row),
      }, h("span", { dir: "auto" }, errors.description[row]), " ", h("span.soft", {}, `(${label(errors.type[row])})`))))),
    shown.length < rows.length && h("p.soft", {}, `${rows.length - shown.length} more errors before and after these.`));
}
