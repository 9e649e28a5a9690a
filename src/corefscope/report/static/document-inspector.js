/** The inspector: an entity with those that it is confused with, and what is wrong between them. */
import { h, svg, fill, label } from "./dom.js";
import { state, go } from "./state.js";
import { docText, docPush, docCount } from "./document-model.js";
import { docFocus, docPin, docOpenError } from "./document-open.js";
import { DOC_MARKS, DOC_SAYS } from "./document-marks.js";
import { docScrollTo } from "./document-text.js";

/**
 * @typedef {import("./document-model.js").Mention} Mention
 * @typedef {import("./document-model.js").Entity} Entity
 * @typedef {import("./document-model.js").Model} Model
 */

const DOC_MOST_NODES = 10;
const DOC_MOST_SHOWN = 24;
const DOC_MOST_BLOCKS = 12;

/** @param {any} view */
export function docDrawInspector(view) {
  const entity = docFocus(view);
  const top = view.inspector.scrollTop;
  const key = `${view.drawn} ${entity?.tag} ${view.selected}`;
  if (view.inspected === key) return;
  const isSame = view.inspectedTag === entity?.tag;
  view.inspected = key;
  view.inspectedTag = entity?.tag;
  if (entity) fill(view.inspector, docInspect(view, entity), docLegend(false));
  else fill(view.inspector, docWelcome(view), docLegend(true));
  view.inspector.scrollTop = isSame ? top : 0;
}

/** @param {any} view */
function docWelcome(view) {
  const pinned = state().entity;
  return h("div.doc-card", {}, h("h3", {}, "Inspector"),
    pinned !== null && h("p", {}, `${pinned} is no entity of this document.`),
    h("p.soft", {}, "Click a mention or its tag to pin its entity. Press ", h("kbd", {}, "j"),
      " for the next error. Entities that share mentions are shown here, with what is wrong between them."),
    view.rows.length > 0 && h("button.doc-button", { id: "doc-first", onclick: () => docOpenError(view.rows[0]) }, "First error"));
}

/** @param {boolean} isOpen */
function docLegend(isOpen) {
  const sample = (/** @type {string} */ classes, /** @type {string} */ mark, /** @type {string} */ says) => h("li", {},
    h("span.doc-word.doc-sample", { "aria-hidden": "true" }, "word", h(`i.doc-bar.doc-lane-0.doc-begins.doc-ends.${classes}`), h(`sup.doc-sample-mark.${classes}`, {}, mark)),
    h("span", {}, says));
  return h("details.doc-legend", { open: isOpen }, h("summary", {}, "How to read the marks"), h("ul", {},
    sample("doc-hue-1", "K1", "a mention; a key entity and its aligned response entity share a hue"),
    sample("doc-hue-0", "K9", "a smaller entity, grey until it is lit"),
    sample("doc-hue-1.doc-is-missing", "K1○", "missing: only in the key"),
    sample("doc-hue-1.doc-is-extra", "R1×", "extra: only in the response"),
    sample("doc-hue-3.doc-is-wrong", "R2⚑K1", "in the wrong entity; the flag names the right one"),
    sample("doc-hue-1.doc-is-wrong", "K1→R2", "the same in the key: the response has it in R2"),
    sample("doc-hue-1.doc-is-boundary", "R1↔", "other boundaries; the words that differ are hatched"),
    sample("doc-hue-1.doc-single", "K4", "an entity of one mention"),
    h("li", {}, h("span.doc-sample", { "aria-hidden": "true" }, "word", h("span.doc-caret.doc-caret-R", {}, "○"), " word", h("span.doc-caret.doc-caret-K", {}, "×")),
      h("span", {}, "no tag: only the other side has a mention here"))));
}

/** @param {any} view @param {Entity} entity */
function docInspect(view, entity) {
  const group = docGroup(view.model, view.context.errors, entity.tag);
  const rows = docGroupErrors(view, group);
  return [
    h("div.doc-card", {},
      h("div.doc-inspect-head", {}, h(`span.doc-chip.doc-hue-${entity.hue}`, {}, entity.tag), h("h3", { dir: "auto" }, entity.title)),
      h("p.soft.doc-inspect-size", {}, docGroupSays(group)), docAlluvial(view.model, group, entity)),
    docBlocks(view, group, entity), docOperations(view, rows),
  ];
}

/**
 * The key and response entities that hang together through shared mentions or through an error.
 * @param {Model} model @param {any} errors @param {string} tag @returns {{K: Entity[], R: Entity[]}}
 */
function docGroup(model, errors, tag) {
  /** @type {Map<string, string[]>} */
  const near = new Map();
  const join = (/** @type {string} */ one, /** @type {string} */ other) => {
    docPush(near, one, other);
    docPush(near, other, one);
  };
  for (const name of model.links.keys()) join(.../** @type {[string, string]} */ (name.split(" ")));
  for (const row of model.text.systems[model.system].errors) if (errors.other[row]) join(errors.entity[row], errors.other[row]);
  const seen = new Set([tag]);
  for (const each of seen) for (const other of near.get(each) ?? []) seen.add(other);
  const order = (/** @type {"K" | "R"} */ side) => [...model.entities.values()].filter((entity) => entity.side === side && seen.has(entity.tag));
  return { K: order("K"), R: order("R") };
}

/** @param {{K: Entity[], R: Entity[]}} group */
function docGroupSays({ K, R }) {
  const of = (/** @type {Entity[]} */ entities, /** @type {string} */ side) => entities.length ? docCount(entities.length, `${side} entity`, `${side} entities`) : "";
  return ["Confusion group:", [of(K, "key"), of(R, "response")].filter(Boolean).join(", ")].join(" ");
}

/** @param {any} view @param {{K: Entity[], R: Entity[]}} group */
function docGroupErrors(view, group) {
  const { errors } = view.context;
  const tags = new Set([...group.K, ...group.R].map(({ tag }) => tag));
  return view.model.text.systems[view.model.system].errors.filter((/** @type {number} */ row) => tags.has(errors.entity[row]))
    .sort((/** @type {number} */ a, /** @type {number} */ b) => errors.start[a] - errors.start[b] || a - b);
}

/** Key at the left, response at the right, a ribbon for what they share. @param {Model} model @param {{K: Entity[], R: Entity[]}} group @param {Entity} entity */
function docAlluvial(model, group, entity) {
  const largest = (/** @type {Entity[]} */ entities) => docNearFirst(model, entities, entity).slice(0, DOC_MOST_NODES)
    .sort((a, b) => b.mentions.length - a.mentions.length);
  const [left, right] = [largest(group.K), largest(group.R)];
  const total = Math.max(...[left, right].map((side) => side.reduce((sum, entity) => sum + entity.mentions.length, 0)), 1);
  const unit = Math.min(14, 190 / total);
  const [ofLeft, ofRight] = [docStack(left, unit), docStack(right, unit)];
  const height = Math.max(ofLeft.height, ofRight.height, 24);
  const hidden = group.K.length + group.R.length - left.length - right.length;
  const says = [...model.links].filter(([name]) => left.some(({ tag }) => name.startsWith(`${tag} `)) && right.some(({ tag }) => name.endsWith(` ${tag}`)))
    .map(([name, count]) => `${name.replace(" ", " and ")} share ${docCount(count, "mention")}`).join("; ");
  return [
    svg("svg.doc-alluvial", { viewBox: `0 0 288 ${height}`, role: "img", "aria-label": `Key and response entities. ${says || "They share no mentions."}` },
      docRibbons(model, ofLeft.tops, ofRight.tops, unit), left.map((each) => docNode(each, ofLeft.tops, unit, 78)),
      right.map((each) => docNode(each, ofRight.tops, unit, 204))),
    hidden > 0 && h("p.soft.doc-inspect-size", {}, `and ${docCount(hidden, "more entity", "more entities")}`),
  ];
}

/** @param {Entity[]} entities @param {number} unit */
function docStack(entities, unit) {
  /** @type {Map<string, number>} */
  const tops = new Map();
  let height = 2;
  for (const entity of entities) {
    tops.set(entity.tag, height);
    height += Math.max(12, entity.mentions.length * unit) + 7;
  }
  return { tops, height };
}

/** @param {Model} model @param {Map<string, number>} left @param {Map<string, number>} right @param {number} unit */
function docRibbons(model, left, right, unit) {
  /** @type {Map<string, number>} */
  const used = new Map();
  const ribbons = [];
  for (const [name, count] of model.links) {
    const [key, response] = name.split(" ");
    const [from, to] = [left.get(key), right.get(response)];
    if (from === undefined || to === undefined) continue;
    const [y, z] = [from + (used.get(key) ?? 0), to + (used.get(response) ?? 0)];
    const size = count * unit;
    used.set(key, (used.get(key) ?? 0) + size);
    used.set(response, (used.get(response) ?? 0) + size);
    const hue = model.entities.get(key)?.hue ?? 0;
    ribbons.push(svg(`path.doc-ribbon.doc-hue-${hue}`, {
      d: `M86 ${y} C145 ${y} 145 ${z} 204 ${z} L204 ${z + size} C145 ${z + size} 145 ${y + size} 86 ${y + size} Z`,
    }, svg("title", {}, `${key} and ${response} share ${docCount(count, "mention")}`)));
  }
  return ribbons;
}

/** @param {Entity} entity @param {Map<string, number>} tops @param {number} unit @param {number} x */
function docNode(entity, tops, unit, x) {
  const y = tops.get(entity.tag) ?? 0;
  const height = Math.max(3, entity.mentions.length * unit);
  const isKey = entity.side === "K";
  return svg(`g.doc-node.doc-hue-${entity.hue}`, { onclick: () => go({ entity: entity.tag }) },
    svg("title", {}, `${entity.tag} ${entity.title}: ${docCount(entity.mentions.length, "mention")}`),
    svg("rect", { x, y, width: 8, height, rx: 1.5 }),
    svg("text", { x: isKey ? x - 6 : x + 14, y: y + Math.max(10, height / 2 + 4), "text-anchor": isKey ? "end" : "start" },
      `${entity.tag} · ${entity.mentions.length}`));
}

/** Response entities with their mentions, and what was not found. @param {any} view @param {{K: Entity[], R: Entity[]}} group @param {Entity} entity */
function docBlocks(view, group, entity) {
  const keyOf = docKeyTags(group.K);
  const tagOf = (/** @type {Mention} */ mention) => keyOf.get(`${mention.first}-${mention.last}`)?.join(" ") ?? DOC_MARKS[mention.status];
  const block = (/** @type {Entity} */ each) => docBlock(view, each.tag, each.hue, each.title, each.mentions, tagOf);
  const entities = docNearFirst(view.model, group.R, entity);
  const [shown, rest] = [entities.slice(0, DOC_MOST_BLOCKS), entities.slice(DOC_MOST_BLOCKS)];
  const blocks = shown.map(block);
  if (rest.length) {
    blocks.push(h("button.link.doc-more", {
      onclick: (/** @type {any} */ event) => event.currentTarget.replaceWith(...rest.map(block)),
    }, docCount(rest.length, "more entity", "more entities")));
  }
  const missing = group.K.flatMap((each) => each.mentions).filter(({ status }) => status === "missing").sort((a, b) => a.first - b.first);
  if (missing.length) blocks.push(docBlock(view, "", 0, "Not found", missing, (mention) => `${mention.tag} ○`));
  return h("div.doc-card", {}, h("h3", {}, "Response entities"), h("p.soft.doc-inspect-size", {}, "Each mention with its key entity"),
    blocks.length ? blocks : h("p.soft", {}, "None."));
}

/** In a large group, first what shares mentions with the entity in question. @param {Model} model @param {Entity[]} entities @param {Entity} entity */
function docNearFirst(model, entities, entity) {
  if (entities.length <= DOC_MOST_BLOCKS) return entities;
  const shared = (/** @type {Entity} */ each) => each === entity ? Infinity
    : model.links.get(`${entity.tag} ${each.tag}`) ?? model.links.get(`${each.tag} ${entity.tag}`) ?? 0;
  return [...entities].sort((a, b) => Math.sign(shared(b) - shared(a)) || b.mentions.length - a.mentions.length);
}

/** @param {Entity[]} entities @returns {Map<string, string[]>} */
function docKeyTags(entities) {
  const tags = new Map();
  for (const { mentions, tag } of entities) for (const { first, last } of mentions) docPush(tags, `${first}-${last}`, tag);
  return tags;
}

/**
 * @param {any} view @param {string} tag @param {number} hue @param {string} title @param {Mention[]} mentions
 * @param {(mention: Mention) => string} tagOf
 */
function docBlock(view, tag, hue, title, mentions, tagOf) {
  const chip = (/** @type {Mention} */ mention) => h(`button.doc-piece.doc-is-${mention.status}`, {
    title: `${DOC_SAYS[mention.status]}; show it in the text`, onclick: () => docScrollTo(view, mention.first, "center"),
  }, h("bdi", {}, docText(view.model.text, mention.first, mention.last, 40)), " ",
  h(`sup.doc-hue-${docHueOfTag(view.model, tagOf(mention), mention)}`, {}, tagOf(mention)));
  const [shown, rest] = [mentions.slice(0, DOC_MOST_SHOWN), mentions.slice(DOC_MOST_SHOWN)];
  return h(`div.doc-block.doc-hue-${hue}`, {},
    h("div.doc-block-head", {}, tag ? h("button.doc-chip-button", {
      id: `doc-block-${tag}`, title: `Pin ${tag}`, "aria-pressed": String(state().entity === tag), onclick: () => docPin(tag),
    }, h(`span.doc-chip.doc-hue-${hue}`, {}, tag), " ", h("bdi", {}, title)) : h("b", {}, title), h("span.soft", {}, mentions.length)),
    h("div.doc-pieces", {}, shown.map(chip)),
    rest.length > 0 && h("button.link", {
      onclick: (/** @type {any} */ event) => event.currentTarget.replaceWith(h("div.doc-pieces", {}, rest.map(chip))),
    }, `${rest.length} more`));
}

/** @param {Model} model @param {string} tags @param {Mention} mention */
function docHueOfTag(model, tags, mention) {
  return model.entities.get(tags.split(" ")[0])?.hue ?? mention.hue;
}

/** What is wrong in the group, as sentences. @param {any} view @param {number[]} rows */
function docOperations(view, rows) {
  const { errors } = view.context;
  const at = rows.indexOf(view.selected ?? -1);
  const step = (/** @type {string} */ id, /** @type {string} */ title, /** @type {number | undefined} */ row) =>
    h("button.doc-button", { id, disabled: row === undefined, onclick: () => docOpenError(row) }, title);
  const shown = docAround(rows, at, 60);
  return h("div.doc-card", {},
    h("h3", {}, rows.length ? `${docCount(rows.length, "error")} of this group` : "No errors in this group"),
    h("div.doc-buttons", {}, step("doc-error-before", "‹ Previous", rows[at - 1]), step("doc-error-after", "Next ›", rows[at + 1]),
      h("button.doc-button", { id: "doc-copy", onclick: (/** @type {any} */ event) => docCopyLink(event.currentTarget) }, "Copy link")),
    h("ol.doc-operations", {}, shown.rows.map((row, place) => h("li", {}, h("span.soft", {}, `${shown.from + place + 1}.`),
      h("button.doc-operation", {
        id: `doc-operation-${row}`, "aria-current": row === view.selected ? "true" : null, onclick: () => docOpenError(row),
      }, h("span", { dir: "auto" }, errors.words[row]), " ", h("span.soft", {}, `(${label(errors.type[row])})`))))),
    shown.rows.length < rows.length && h("p.soft", {}, `${rows.length - shown.rows.length} more: go on with Next.`));
}

/** A part of a long list, around the selected one. @param {number[]} rows @param {number} at @param {number} most */
function docAround(rows, at, most) {
  const from = Math.max(0, Math.min(at - most / 2, rows.length - most));
  return { from, rows: rows.slice(from, from + most) };
}

/** @param {HTMLElement} button */
async function docCopyLink(button) {
  try {
    await navigator.clipboard.writeText(location.href);
    button.textContent = "Copied";
  } catch {
    // Pages from disk may not use the clipboard: show the link to be copied by hand.
    const field = /** @type {HTMLInputElement} */ (h("input.doc-link", { readonly: true, value: location.href, "aria-label": "Link" }));
    button.replaceWith(field);
    field.select();
  }
}
