/**
 * Entities of a document: what became of each entity of the key, and what each of the response mixes.
 *
 * How the tables are sorted and which entities are shown stands in the address with the filters.
 */
import { documentName, h, svg, fill } from "./dom.js";
import { state, go, toHash } from "./state.js";
import { documentOf } from "./store.js";

/** Rows drawn before the reader asks for all. */
const ENTITIES_MOST = 200;
const ENTITIES_STRIP = 120;
const ENTITIES_CHOICES = [
  ["", "All"],
  ["errors", "With errors"],
  ["lost", "Not found"],
  ["name", "Has a name, none found"],
];

/**
 * @typedef {object} EntityRow
 * @property {string} name K3 or R7
 * @property {string} title
 * @property {Array<[number, number, number]>} mentions
 * @property {boolean[]} found by mention: whether the other side has it
 * @property {{name: string, title: string, size: number} | null} best the aligned entity
 * @property {number} common
 * @property {number} purity
 * @property {number} completeness
 * @property {number} f1
 * @property {Array<{name: string, title: string, count: number}>} parts entities of the other side with its mentions
 * @property {number} lost mentions that the other side has not
 */

/** The words of a mention. @param {any} text @param {number[]} mention */
function entitiesWords(text, [first, last]) {
  return text.words.slice(first, last + 1).join(" ");
}

/** The first name of an entity, else its first nominal, else its first mention. */
function entitiesTitle(/** @type {any} */ text, /** @type {any} */ entity) {
  const mentions = entity.mentions;
  const told = [0, 1]
    .map((type) => mentions.find((/** @type {number[]} */ each) => each[2] === type))
    .find(Boolean);
  return mentions.length ? entitiesWords(text, told ?? mentions[0]) : "";
}

/** @param {any[]} entities @returns {Map<string, number[]>} places of the entities that have a mention */
function entitiesByMention(entities) {
  const places = new Map();
  entities.forEach(({ mentions }, place) => {
    for (const [first, last] of mentions) {
      const at = `${first}-${last}`;
      if (!places.has(at)) places.set(at, []);
      places.get(at).push(place);
    }
  });
  return places;
}

/**
 * Compare each entity of a side with the other side.
 * @param {any} text @param {any[]} own @param {any[]} others
 * @param {(place: number) => number} aligned place of the aligned entity, or -1
 * @returns {EntityRow[]}
 */
function entitiesRows(text, own, others, aligned) {
  const where = entitiesByMention(others);
  return own.map((entity, place) => {
    const shared = new Map();
    const found = entity.mentions.map((/** @type {number[]} */ [first, last]) => {
      const places = where.get(`${first}-${last}`) ?? [];
      for (const each of places) shared.set(each, (shared.get(each) ?? 0) + 1);
      return places.length > 0;
    });
    const best = aligned(place);
    const other = best < 0 ? null : others[best];
    const common = shared.get(best) ?? 0;
    const sizes = [entity.mentions.length, other?.mentions.length ?? 0];
    return {
      name: entity.name,
      title: entitiesTitle(text, entity),
      mentions: entity.mentions,
      found,
      common,
      best: other && { name: other.name, title: entitiesTitle(text, other), size: sizes[1] },
      completeness: sizes[0] ? common / sizes[0] : 0,
      purity: sizes[1] ? common / sizes[1] : 0,
      f1: sizes[0] + sizes[1] ? (2 * common) / (sizes[0] + sizes[1]) : 0,
      parts: [...shared]
        .sort((one, another) => another[1] - one[1] || one[0] - another[0])
        .map(([each, count]) => ({
          name: others[each].name,
          title: entitiesTitle(text, others[each]),
          count,
        })),
      lost: found.filter((/** @type {boolean} */ is) => !is).length,
    };
  });
}

/** @param {any} text @param {number} system */
function entitiesOfKey(text, system) {
  const { entities } = text.systems[system];
  const places = new Map(
    entities.map((/** @type {any} */ entity, /** @type {number} */ place) => [entity.key, place]),
  );
  return entitiesRows(text, text.key, entities, (place) => places.get(place) ?? -1);
}

/** Purity and completeness are said of the response entity here, too. @param {any} text @param {number} system */
function entitiesOfResponse(text, system) {
  const { entities } = text.systems[system];
  return entitiesRows(text, entities, text.key, (place) => entities[place].key ?? -1).map((row) => ({
    ...row,
    purity: row.completeness,
    completeness: row.purity,
  }));
}

/**
 * @typedef {object} EntitiesColumn
 * @property {string} id
 * @property {string} title
 * @property {string} [hint]
 * @property {boolean} [isNumber]
 * @property {boolean} [isShare] a figure of which the lowest is looked for
 * @property {(row: EntityRow) => string | number} key
 * @property {(row: EntityRow, text: any) => any} cell
 */

/** @param {string} name */
function entitiesNumber(name) {
  return Number(name.slice(1)) || 0;
}

/** A link to the document with the entity pinned. @param {string} name @param {any} content */
function entitiesLink(name, content) {
  const target = { tab: "document", entity: name, error: null };
  return h(
    "a",
    {
      href: `#${toHash({ ...state(), ...target })}`,
      onclick: (/** @type {MouseEvent} */ event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        go(target);
      },
    },
    content,
  );
}

/** @param {string} name @param {string} title */
function entitiesNamed(name, title) {
  return h(
    "span.entities-named",
    { title },
    entitiesLink(name, name),
    " ",
    h("bdi.entities-words", {}, title),
  );
}

/** A fraction with a bar under it; whole per cents, since entities are small. @param {number} value */
function entitiesShare(value) {
  return h(
    "span.entities-share",
    { style: { "--share": `${100 * value}%` } },
    `${(100 * value).toFixed(0)} %`,
  );
}

/** Where in the document its mentions are; those that the other side lacks are rings. */
function entitiesStrip(/** @type {EntityRow} */ row, /** @type {any} */ text) {
  const length = Math.max(1, text.words.length);
  const at = (/** @type {number} */ token) => 2 + ((ENTITIES_STRIP - 6) * token) / length;
  const first = row.mentions[0]?.[0] ?? 0;
  const last = row.mentions.reduce((most, [, end]) => Math.max(most, end), 0);
  const share = Math.round((100 * (last - first + 1)) / length);
  return svg(
    "svg.entities-strip",
    {
      role: "img",
      width: ENTITIES_STRIP,
      height: 16,
      viewBox: `0 0 ${ENTITIES_STRIP} 16`,
      "aria-label": `tokens ${first} to ${last}, ${share} % of the document`,
    },
    svg(
      "title",
      {},
      `tokens ${first}–${last}, ${share} % of the document; ${row.lost} of ${row.mentions.length} are not on the other side`,
    ),
    svg("line.entities-axis", { x1: 0, x2: ENTITIES_STRIP, y1: 8, y2: 8 }),
    svg("line.entities-span", { x1: at(first), x2: at(last) + 2, y1: 8, y2: 8 }),
    row.mentions.map(([start], place) =>
      row.found[place]
        ? svg("rect.entities-found", { x: at(start), y: 2, width: 2.5, height: 12 })
        : svg(row.name.startsWith("K") ? "circle.entities-lost" : "circle.entities-extra", {
            cx: at(start) + 1.25,
            cy: 8,
            r: 2.5,
          }),
    ),
  );
}

/** @type {EntitiesColumn[]} */
const ENTITIES_SHARED = [
  {
    id: "entity",
    title: "Entity",
    key: (row) => entitiesNumber(row.name),
    cell: (row) => entitiesNamed(row.name, row.title),
  },
  {
    id: "size",
    title: "Size",
    isNumber: true,
    hint: "number of mentions",
    key: (row) => row.mentions.length,
    cell: (row) => row.mentions.length,
  },
  {
    id: "span",
    title: "In the document",
    hint: "bar: a mention that both sides have; ring: that only this side has",
    key: (row) =>
      row.mentions.reduce((most, [, end]) => Math.max(most, end), 0) - (row.mentions[0]?.[0] ?? 0),
    cell: entitiesStrip,
  },
];
/** @type {EntitiesColumn[]} */
const ENTITIES_FIGURES = [
  {
    id: "purity",
    title: "Purity",
    isNumber: true,
    isShare: true,
    hint: "share of the response entity that is of the key entity",
    key: (row) => row.purity,
    cell: (row) => row.best && entitiesShare(row.purity),
  },
  {
    id: "completeness",
    title: "Completeness",
    isNumber: true,
    isShare: true,
    hint: "share of the key entity that is in the response entity",
    key: (row) => row.completeness,
    cell: (row) => row.best && entitiesShare(row.completeness),
  },
  {
    id: "f1",
    title: "F1",
    isNumber: true,
    isShare: true,
    hint: "of the two entities' mentions",
    key: (row) => row.f1,
    cell: (row) => entitiesShare(row.f1),
  },
];
/** @type {EntitiesColumn[]} */
const ENTITIES_KEY = [
  ...ENTITIES_SHARED,
  {
    id: "best",
    title: "Best response",
    hint: "the response entity that it is aligned with, one to one",
    key: (row) => (row.best ? entitiesNumber(row.best.name) : Infinity),
    cell: (row) => (row.best ? entitiesNamed(row.best.name, row.best.title) : entitiesNone(row)),
  },
  ...ENTITIES_FIGURES,
  {
    id: "pieces",
    title: "Pieces",
    isNumber: true,
    hint: "response entities that its mentions are in",
    key: (row) => row.parts.length,
    cell: (row) =>
      h(
        "span",
        { title: row.parts.map(({ name, count }) => `${name}: ${count}`).join(", ") },
        entitiesQuiet(row.parts.length, 1),
      ),
  },
  {
    id: "missing",
    title: "Missing",
    isNumber: true,
    hint: "mentions that are in no response entity",
    key: (row) => row.lost,
    cell: (row) => entitiesQuiet(row.lost, 0),
  },
];
/** @type {EntitiesColumn[]} */
const ENTITIES_RESPONSE = [
  ...ENTITIES_SHARED,
  {
    id: "best",
    title: "Aligned with",
    hint: "the key entity that it is aligned with, one to one",
    key: (row) => (row.best ? entitiesNumber(row.best.name) : Infinity),
    cell: (row) => (row.best ? entitiesNamed(row.best.name, row.best.title) : h("span.soft", {}, "none")),
  },
  ...ENTITIES_FIGURES,
  {
    id: "extra",
    title: "Extra",
    isNumber: true,
    hint: "mentions that are in no key entity",
    key: (row) => row.lost,
    cell: (row) => entitiesQuiet(row.lost, 0),
  },
  {
    id: "mixes",
    title: "What it mixes",
    hint: "the key entities that its mentions are of",
    key: (row) => row.parts.length,
    cell: entitiesMix,
  },
];

/** A number that steps back when it is as it should be. @param {number} value @param {number} right */
function entitiesQuiet(value, right) {
  return h(value === right ? "span.soft" : "b", {}, value);
}

/** @param {EntityRow} row */
function entitiesNone(row) {
  return h(
    "span.soft",
    {},
    row.parts.length ? "none: its mentions are in others’ entities" : "none: nothing of it was found",
  );
}

/** @param {EntityRow} row */
function entitiesMix(row) {
  const parts = row.parts.map(({ name, title, count }) =>
    h(
      "span.entities-part",
      { title },
      `${count} × `,
      entitiesLink(name, name),
      " ",
      h("bdi.entities-words", {}, title),
    ),
  );
  if (row.lost) parts.push(h("span.entities-part.soft", {}, `${row.lost} × extra`));
  return h("span.entities-mix", {}, parts);
}

/** @param {EntityRow[]} rows @param {EntitiesColumn[]} columns @param {string} sort */
function entitiesSorted(rows, columns, sort) {
  const [id, direction] = sort.split(".");
  const column = columns.find((each) => each.id === id);
  if (!column) return rows;
  const sign = direction === "desc" ? -1 : 1;
  return rows
    .map((row) => /** @type {[any, EntityRow]} */ ([column.key(row), row]))
    .sort(([one], [other]) => (one === other ? 0 : one < other ? -sign : sign))
    .map(([, row]) => row);
}

/** @param {EntityRow} row @param {string} choice */
function entitiesIsChosen(row, choice) {
  const isFound = row.found.some(Boolean);
  if (choice === "errors") return row.f1 < 1;
  if (choice === "lost") return !isFound;
  // As NEC has it: somebody with a name whose name no response entity has.
  if (choice === "name")
    return (
      row.mentions.some(([, , type]) => type === 0) &&
      !row.mentions.some(([, , type], place) => type === 0 && row.found[place])
    );
  return true;
}

/** Keep a choice in the address. @param {string} id @param {string} value */
function entitiesSet(id, value) {
  const { [id]: _, ...others } = state().filters;
  go({ filters: value ? { ...others, [id]: [value] } : others }, { replace: true });
}

/** Tables whose rows are all drawn. @type {Set<string>} */
const entitiesAll = new Set();

/**
 * @param {string} id @param {EntityRow[]} rows @param {EntitiesColumn[]} columns @param {any} text
 * @param {string} caption @param {() => void} redraw
 */
function entitiesTable(id, rows, columns, text, caption, redraw) {
  const sort = state().filters[`${id}-sort`]?.[0] ?? "";
  const sorted = entitiesSorted(rows, columns, sort);
  const shown = entitiesAll.has(id) ? sorted : sorted.slice(0, ENTITIES_MOST);
  return h(
    "div.entities-scroll",
    {},
    h(
      "table.entities-table",
      { "aria-label": caption },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          columns.map((column) => entitiesHeading(id, column, sort)),
        ),
      ),
      h(
        "tbody",
        {},
        shown.map((row) =>
          h(
            "tr",
            {},
            columns.map((column) => h(column.isNumber ? "td.number" : "td", {}, column.cell(row, text))),
          ),
        ),
      ),
    ),
    shown.length < sorted.length &&
      h(
        "p",
        {},
        h(
          "button.link",
          {
            id: `entities-${id}-all`,
            onclick: () => {
              entitiesAll.add(id);
              redraw();
            },
          },
          `Show all ${sorted.length.toLocaleString("en")}`,
        ),
      ),
  );
}

/** The first click brings the largest counts and the worst figures to the top. @param {string} id @param {EntitiesColumn} column @param {string} sort */
function entitiesHeading(id, column, sort) {
  const [sorted, direction] = sort.split(".");
  const order = column.isNumber && !column.isShare ? ["desc", "asc"] : ["asc", "desc"];
  const isSorted = sorted === column.id;
  const next = !isSorted
    ? `${column.id}.${order[0]}`
    : direction === order[0]
      ? `${column.id}.${order[1]}`
      : "";
  return h(
    column.isNumber ? "th.number" : "th",
    {
      scope: "col",
      "aria-sort": isSorted ? (direction === "desc" ? "descending" : "ascending") : "none",
    },
    h(
      "button.entities-sort",
      {
        id: `entities-${id}-${column.id}`,
        title: column.hint ?? null,
        onclick: () => entitiesSet(`${id}-sort`, next),
      },
      column.title,
      h("span.entities-arrow", { "aria-hidden": "true" }, isSorted ? (direction === "desc" ? "▼" : "▲") : ""),
    ),
  );
}

/** @param {any} summary */
function entitiesPicker(summary) {
  const last = summary.documents.length - 1;
  const { document: open } = state();
  const step = (
    /** @type {number} */ to,
    /** @type {string} */ id,
    /** @type {string} */ name,
    /** @type {string} */ sign,
  ) =>
    h(
      "button.entities-button",
      {
        id,
        "aria-label": name,
        title: name,
        disabled: to < 0 || to > last,
        onclick: () => entitiesOpen(to),
      },
      sign,
    );
  return h(
    "div.entities-picker",
    {},
    h("label.soft", { for: "entities-document" }, "Document"),
    step(open - 1, "entities-before", "Previous document", "‹"),
    h(
      "select.entities-select",
      {
        id: "entities-document",
        onchange: (/** @type {any} */ event) => entitiesOpen(Number(event.target.value)),
      },
      summary.documents.map((/** @type {any} */ each, /** @type {number} */ number) =>
        h(
          "option",
          {
            value: number,
            selected: number === open,
          },
          documentName(each.name),
        ),
      ),
    ),
    step(open + 1, "entities-after", "Next document", "›"),
  );
}

/** Another document has other entities and errors. @param {number} number */
function entitiesOpen(number) {
  go({ document: number, entity: null, error: null });
}

/** @param {EntityRow[]} rows @param {string} choice */
function entitiesChoice(rows, choice) {
  return h(
    "div.entities-choice",
    { role: "group", "aria-label": "Key entities shown" },
    ENTITIES_CHOICES.map(([id, title]) =>
      h(
        "button.entities-button",
        {
          id: `entities-choice-${id || "all"}`,
          "aria-pressed": String(id === choice),
          onclick: () => entitiesSet("entities", id),
        },
        title,
        " ",
        h("span.entities-count", {}, rows.filter((row) => entitiesIsChosen(row, id)).length),
      ),
    ),
  );
}

/** What the tables say, in a sentence. @param {EntityRow[]} rows @param {any} system */
function entitiesStory(rows, system) {
  const whole = rows.filter((row) => row.f1 === 1).length;
  const lost = rows.filter((row) => !row.found.some(Boolean)).length;
  const split = rows.filter((row) => row.parts.length > 1).length;
  const of = (/** @type {number} */ count) => `${count} of ${rows.length}`;
  return h(
    "p.entities-story",
    {},
    h("b", {}, system.name),
    ` has ${of(whole)} key entities exactly right, `,
    `divides ${of(split)} over several of its own, and has nothing of ${of(lost)}.`,
  );
}

/** @param {HTMLElement} root @param {any} context */
export async function renderEntities(root, { summary }) {
  if (!summary.documents.length)
    return fill(root, h("p.entities-empty", {}, "This corpus has no documents."));
  const number = Math.min(state().document, summary.documents.length - 1);
  const place = Math.min(state().system, summary.systems.length - 1);
  const text = await documentOf(number);
  // A slower document must not cover the one that was chosen after it.
  if (state().tab !== "entities" || Math.min(state().document, summary.documents.length - 1) !== number)
    return;
  const redraw = () => entitiesDraw(root, summary, text, place);
  redraw();
}

/** @param {HTMLElement} root @param {any} summary @param {any} text @param {number} place */
function entitiesDraw(root, summary, text, place) {
  const focused = document.activeElement?.id ?? "";
  const { scrollTop } = root;
  const system = summary.systems[place];
  const key = entitiesOfKey(text, place);
  const response = entitiesOfResponse(text, place);
  const choice = state().filters.entities?.[0] ?? "";
  const chosen = key.filter((row) => entitiesIsChosen(row, choice));
  const redraw = () => entitiesDraw(root, summary, text, place);
  fill(
    root,
    h(
      "div.entities",
      {},
      h("div.entities-head", {}, entitiesPicker(summary), key.length > 0 && entitiesStory(key, system)),
      h(
        "section.entities-section",
        {},
        h(
          "div.entities-title",
          {},
          h("h2", {}, "Entities of the key"),
          key.length > 0 && entitiesChoice(key, choice),
        ),
        !key.length
          ? h("p.entities-empty", {}, "The key has no entities in this document.")
          : !chosen.length
            ? h("p.entities-empty", {}, "No entity of this document is like that.")
            : entitiesTable("key", chosen, ENTITIES_KEY, text, "Entities of the key", redraw),
      ),
      h(
        "section.entities-section",
        {},
        h(
          "div.entities-title",
          {},
          h("h2", {}, `Entities of ${system.name}`),
          h("span.soft", {}, `${response.length}`),
        ),
        !response.length
          ? h("p.entities-empty", {}, `${system.name} has no entities in this document.`)
          : entitiesTable(
              "response",
              response,
              ENTITIES_RESPONSE,
              text,
              `Entities of ${system.name}`,
              redraw,
            ),
      ),
    ),
  );
  root.scrollTop = scrollTop;
  if (focused.startsWith("entities-")) document.getElementById(focused)?.focus();
}
