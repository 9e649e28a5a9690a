/** Overviews of the document: a mini-map of errors, and a timeline of the largest entities. */
import { h, numbered, svg, fill } from "../shared/dom.js";
import { state, option } from "../shared/state.js";
import { partWords } from "./words.js";
import { pin } from "./open.js";
import { mateOf, statusText } from "./wording.js";
import { centre, toTop } from "./scroll.js";

/**
 * @typedef {import("./model.js").Mention} Mention
 * @typedef {import("./model.js").Entity} Entity
 * @typedef {import("./open.js").View} View
 */

/** Steps of the keys on the mini-map, as shares of the document. @type {Record<string, number>} */
const MAP_STEPS = { ArrowDown: 0.03, ArrowUp: -0.03, PageDown: 0.1, PageUp: -0.1, Home: -1, End: 1 };
const TIMELINES = 8;
/** How many ticks fit on a line. */
const TICKS = 300;

/** @param {View} view */
export function mapFrame(view) {
  const map = svg("svg.doc-map", {
    role: "slider", tabindex: "0", "aria-label": "Position in the document; the strip shows where errors are",
    "aria-orientation": "vertical", "aria-valuemin": "0", "aria-valuemax": "100", "aria-valuenow": "0",
  });
  const move = (/** @type {PointerEvent} */ event) => {
    const { top, height } = map.getBoundingClientRect();
    scrollToShare(view, (event.clientY - top) / height);
  };
  map.addEventListener("pointerdown", (event) => {
    map.setPointerCapture(event.pointerId);
    move(event);
  });
  map.addEventListener("pointermove", (event) => event.buttons && move(event));
  map.addEventListener("keydown", (event) => {
    const step = MAP_STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    scrollToShare(view, Number(map.getAttribute("aria-valuenow")) / 100 + step);
  });
  return map;
}

/** @param {View} view @param {number} share of the document's tokens */
function scrollToShare(view, share) {
  const tokens = view.model.text.words.length;
  toTop(view, Math.round(Math.min(1, Math.max(0, share)) * (tokens - 1)));
}

/** Errors by position; longer strokes mean more errors. @param {View} view */
export function drawMap(view) {
  const { errors } = view.context;
  const tokens = view.model.text.words.length;
  const strokes = Math.min(100, Math.max(1, tokens));
  const counts = new Array(strokes).fill(0);
  for (const row of view.rows) counts[Math.min(strokes - 1, Math.floor(errors.start[row] / tokens * strokes))]++;
  const most = Math.max(1, ...counts);
  const bars = counts.map((count, place) => count && svg("rect.doc-map-bar", {
    x: "3", y: `${place / strokes * 100}%`, rx: "1", width: 4 + 13 * count / most,
    height: `${Math.max(0.4, 86 / strokes)}%`,
  }));
  view.box = svg("rect.doc-map-box", { x: "0.5", width: "21", rx: "3" });
  const at = view.selected !== null && svg("svg", {
    x: "0", y: `${errors.start[view.selected] / tokens * 100}%`, overflow: "visible",
  }, svg("path.doc-map-at", { d: "M0 -4 L6 0 L0 4 Z" }));
  fill(view.map, bars, view.box, at);
}

/** The positions of the largest key entities and of the pinned one. @param {View} view */
export function drawTimeline(view) {
  view.timeline.hidden = option("document.timeline") !== "on";
  const drawn = view.timeline.hidden ? "" : `${view.model.text.name} ${view.model.system} ${state().entity}`;
  if (view.timelined === drawn) return;
  view.timelined = drawn;
  if (!drawn) return fill(view.timeline);
  const keys = [...view.model.entities.values()].filter(({ side }) => side === "L");
  keys.sort((a, b) => b.mentions.length - a.mentions.length);
  const pinned = keys.find(({ chain }) => chain === view.model.entities.get(state().entity ?? "")?.chain);
  const shown = new Set([...(pinned ? [pinned] : []), ...keys.slice(0, TIMELINES)]);
  fill(view.timeline,
    h("div.doc-timeline-key.soft", {}, "Key above the line, response below. ", h("b", {}, "|"), " right ",
      h("b.doc-missing-ink", {}, "○"), " missing ", h("b.doc-bad-ink", {}, "×"),
      " wrong, extra or different boundaries"),
    [...shown].map((entity) => timelineRow(view, entity)));
}

/** @param {View} view @param {Entity} entity */
function timelineRow(view, entity) {
  const mate = mateOf(view.model, entity);
  const found = mate?.mentions ?? [];
  const right = entity.mentions.filter(({ status }) => status === "right").length;
  const says = `${entity.tag} ${entity.title}: ${right} of ${numbered(entity.mentions.length, "mention")} right, `
    + `${numbered(found.length, "mention")} in ${mate?.tag ?? "no entity"} of the response`;
  return h("div.doc-timeline-row", {},
    h(`button.doc-timeline-name.doc-hue-${entity.hue}`, {
      id: `doc-timeline-${entity.tag}`, title: says, "aria-pressed": String(state().entity === entity.tag),
      onclick: () => pin(entity.tag),
    }, h("b", {}, entity.tag), " ", h("span", { dir: "auto" }, entity.title)),
    svg(`svg.doc-timeline-line.doc-hue-${entity.hue}`, {
      role: "group", "aria-label": `${says}; arrow keys move through them`,
    },
      svg("line", { x1: "0", x2: "100%", y1: "13", y2: "13" }),
      tickMarks(view, entity.mentions, found)));
}

/**
 * The key above and the response below; together they are one stop of the Tab key.
 * @param {View} view @param {Mention[]} above @param {Mention[]} below
 */
function tickMarks(view, above, below) {
  const ticks = [
    ...apart(view, above).map((mention) => tick(view, mention, 1, 7)),
    ...apart(view, below).map((mention) => tick(view, mention, 15, 19)),
  ];
  ticks[0]?.setAttribute("tabindex", "0");
  return ticks;
}

/** Mentions without those that would be drawn over others. @param {View} view @param {Mention[]} mentions */
function apart(view, mentions) {
  const tokens = view.model.text.words.length;
  /** @type {Map<string, Mention>} */
  const places = new Map();
  for (const mention of mentions) {
    const place = `${Math.floor(mention.first / tokens * TICKS)} ${mention.status}`;
    if (!places.has(place)) places.set(place, mention);
  }
  return [...places.values()];
}

/** @param {View} view @param {Mention} mention @param {number} top @param {number} middle */
function tick(view, mention, top, middle) {
  const { text } = view.model;
  const x = `${((mention.first + 0.5) / text.words.length * 100).toFixed(3)}%`;
  const says = `${partWords(text, mention.parts, 40)}: ${statusText(view.model, mention)}`;
  const title = svg("title", {}, says);
  const onclick = () => centre(view, mention.first);
  const onkeydown = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    onclick();
  };
  const does = { role: "button", tabindex: "-1", "aria-label": says, onclick, onkeydown };
  if (mention.status === "right") return svg("rect.doc-tick", { x, y: top, width: 2.5, height: 10, ...does }, title);
  if (mention.status === "missing") {
    return svg("circle.doc-tick.doc-tick-missing", { cx: x, cy: middle - 1, r: 3.5, ...does }, title);
  }
  return svg("text.doc-tick.doc-tick-wrong", { x, y: middle + 4, "text-anchor": "middle", ...does }, "×", title);
}
