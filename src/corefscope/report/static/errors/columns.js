/** Errors: the columns of the table, their sort keys, and their cells. */
import { documentName, h, label, typeMark, visible } from "../shared/dom.js";
import { linkTo, placeOf } from "../shared/links.js";
import { known } from "../shared/facets.js";
import { remarkOn } from "../shared/remarks.js";
import { spanText } from "../shared/spans.js";

/**
 * @typedef {import("../shared/facets.js").Context} Context
 *
 * @typedef {object} ErrorsColumn
 * @property {string} id
 * @property {string} title
 * @property {string} hint the meaning of the heading
 * @property {boolean} [isMostFirst] whether the first click sorts the largest first
 * @property {(context: Context, row: number) => string | number} key the sort key
 * @property {(context: Context, row: number) => import("../shared/dom.js").Child} cell
 * @property {(context: Context, row: number) => string | string[]} [tip] the full contents of a cell that may be cut, in lines
 */

/** The mention at the beginning of a description; the row shows it in context already. */
const SUBJECT = /^“[^“”]*” \((?:after |before )?[\d–, ]+\) (?!and \d+ more)/;
/** With more systems than this, they have no fixed places in a row. */
export const MANY_SYSTEMS = 6;

/** @type {ErrorsColumn[]} */
export const COLUMNS = [
  {
    id: "flag", title: "★", hint: "flag (f) and note (n); errors with these first",
    key: ({ errors, summary }, row) => remarkKey(remarkOn(errors, summary, row)),
    cell: remarkCell,
  },
  {
    id: "type", title: "Type", hint: "type of the error",
    key: ({ errors }, row) => errors.type[row],
    cell: ({ errors }, row) => [mark(errors.type[row]), label(errors.type[row])],
  },
  {
    id: "document", title: "Document", hint: "document and sentence, in the order of the key",
    key: ({ errors }, row) => errors.document[row] * 2 ** 32 + (errors.start[row] ?? 0),
    cell: ({ errors, summary }, row) => h("span.errors-tail", {}, h("span", {},
      documentName(summary.documents[errors.document[row]].name),
      errors.sentence[row] !== null && ` : ${errors.sentence[row]}`)),
    tip: where,
  },
  {
    id: "text", title: "In context", hint: "the first mention; sorted by its text, then by the words after it",
    key: ({ errors }, row) => `${errors.text[row] ?? ""}\n${errors.right[row]}`.toLowerCase(),
    cell: contextCell,
    tip: ({ errors }, row) => {
      const [left, text, right] = inContext(errors, row);
      return `${left} [${text}] ${right}`.trim();
    },
  },
  {
    id: "description", title: "What is wrong", hint: "tokens count from 0; your note comes first",
    key: ({ errors }, row) => errors.description[row].toLowerCase(),
    cell: wordsCell,
    tip: tipOf,
  },
  {
    id: "mention_type", title: "Mention", hint: "type of the first mention",
    key: ({ errors }, row) => errors.mention_type[row],
    cell: ({ errors }, row) => errors.mention_type[row],
  },
  {
    id: "entity_type", title: "Entity type", hint: "entity type, if a mention of the error is a name",
    key: ({ errors }, row) => errors.entity_type[row] || "~",
    cell: ({ errors }, row) => errors.entity_type[row] || "–",
  },
  {
    id: "entity", title: "Entity", hint: "K: key entity, R: response entity",
    key: ({ errors }, row) => entityKey(errors.entity[row]),
    cell: ({ errors }, row) => [
      h("span.errors-tag", {}, errors.entity[row]), h("bdi.errors-cut", {}, errors.title[row]),
    ],
    tip: ({ errors }, row) => `${errors.entity[row]} ${errors.title[row]}`,
  },
  {
    id: "other", title: "Other", hint: "the entity on the other side",
    key: ({ errors }, row) => entityKey(errors.other[row]),
    cell: ({ errors }, row) => errors.other[row] || "–",
  },
  {
    id: "distance", title: "Dist.", isMostFirst: true, hint: "tokens from the previous mention of the same entity",
    key: ({ errors }, row) => errors.distance[row] ?? -1,
    cell: ({ errors }, row) => errors.distance[row] ?? "–",
  },
  {
    id: "size", title: "Size", isMostFirst: true, hint: "mentions in the error",
    key: ({ errors }, row) => errors.size[row],
    cell: ({ errors }, row) => errors.size[row],
  },
  {
    id: "systems", title: "Systems", hint: "filled: the system of this row; outlined: systems that make the same error",
    key: (context, row) => `${99 - known(context).makers[row].length} ${known(context).makers[row]}`,
    cell: systemsCell,
  },
];

/** The document and sentence of an error. @param {Context} context @param {number} row */
export function where({ errors, summary }, row) {
  const name = documentName(summary.documents[errors.document[row]].name);
  return errors.sentence[row] === null ? name : `${name}, sentence ${errors.sentence[row]}`;
}

/** All properties of an error, because a narrow table hides columns. @param {Context} context @param {number} row */
function tipOf(context, row) {
  const { errors, summary } = context;
  const { note } = remarkOn(errors, summary, row);
  const distance = errors.distance[row];
  return [
    note && `Note: ${note}`,
    `${label(errors.type[row])}, ${where(context, row)}`,
    errors.description[row],
    `first mention: ${errors.mention_type[row]}${errors.entity_type[row] ? `, ${errors.entity_type[row]}` : ""}`,
    `${errors.entity[row]} ${errors.title[row]}${errors.other[row] ? `; other: ${errors.other[row]}` : ""}`,
    distance === null ? "first of its entity" : `tokens from the previous mention: ${distance}`,
    `mentions in the error: ${errors.size[row]}`,
    `made by ${known(context).makers[row]}`,
  ].filter(Boolean);
}

/** K2 comes before K10. @param {string | null} name */
function entityKey(name) {
  return name ? name[0] + name.slice(1).padStart(9, "0") : "~";
}

/** @param {import("../shared/remarks.js").Remark} remark */
function remarkKey({ flag, note }) {
  return (flag ? 0 : 2) + (note ? 0 : 1);
}

/** @param {string} type */
export function mark(type) {
  const kind = type.startsWith("missing") ? "missing" : type.startsWith("extra") ? "extra" : "other";
  return h(`span.errors-mark.errors-mark-${kind}`, { "aria-hidden": "true" }, typeMark(type));
}

/** A star, and a pen if there is a note. @param {Context} context @param {number} row */
function remarkCell({ errors, summary }, row) {
  const { flag, note } = remarkOn(errors, summary, row);
  return [
    h("button.errors-star", {
      tabindex: "-1", "aria-pressed": String(flag), "aria-label": "Flag", title: "Flag (f)", dataset: { does: "flag" },
    }, flag ? "★" : "☆"),
    note && pen(),
  ];
}

function pen() {
  const does = { title: "Note (n)", dataset: { does: "note" } };
  return h("button.errors-pen", { tabindex: "-1", "aria-label": "Note", ...does }, "✎");
}

/** The cells of an error. @param {Context} context @param {number} row */
export function cells(context, row) {
  return COLUMNS.map(({ id, cell }) =>
    h(`span.errors-cell.errors-${id}`, { role: "gridcell" }, cell(context, row)));
}

/** @param {Element} cell @param {string | string[]} lines */
function setTip(cell, lines) {
  cell.setAttribute("title", [lines].flat().map(visible).join("\n"));
}

/**
 * Add tips and a pen when the pointer enters a row.
 * @param {Context} context @param {number} row @param {Element} line
 */
export function pointAt(context, row, line) {
  if (!line.querySelector(".errors-pen")) line.querySelector(".errors-flag")?.append(pen());
  COLUMNS.forEach(({ tip }, at) => { if (tip) setTip(line.children[at], tip(context, row)); });
}

/**
 * The first mention in its context, at the same horizontal position in all rows.
 * It is a link, so that an error can be opened in another tab.
 * @param {Context} context @param {number} row
 */
function contextCell({ errors }, row) {
  const [left, text, right] = inContext(errors, row);
  return h("a.errors-context", { tabindex: "-1", dir: "auto", ...linkTo(placeOf(errors, row)) },
    h("span.errors-left", {}, h("span", {}, left)), h("span.errors-right", {}, h("b", {}, text), " ", right));
}

/** The first mention in its context, or its tokens if there are no words. @param {import("../types.js").ErrorColumns} errors @param {number} row */
export function inContext(errors, row) {
  const text = errors.text[row];
  return text === null ? ["", spanText(errors, row), ""] : [errors.left[row], text, errors.right[row]];
}

/** @param {Context} context @param {number} row */
function wordsCell({ errors, summary }, row) {
  const { note } = remarkOn(errors, summary, row);
  const words = errors.description[row].replace(SUBJECT, "… ");
  return [note && h("bdi.errors-note", {}, note), h("span", { dir: "ltr" }, words)];
}

/** @param {Context} context @param {number} row */
function systemsCell(context, row) {
  const { errors, summary } = context;
  const own = summary.systems[errors.system[row]].letter;
  const making = known(context).makers[row].split(" ");
  const isMany = summary.systems.length > MANY_SYSTEMS;
  const places = isMany ? making : summary.systems.map((each) => each.letter);
  const others = making.filter((letter) => letter !== own);
  const named = `${own}${others.length ? `, also by ${others.join(", ")}` : ", by no other system"}`;
  const kind = (/** @type {string} */ letter) => letter === own ? "own" : making.includes(letter) ? "also" : "none";
  return h("span.errors-letters", { title: `made by ${named}`, role: "img", "aria-label": named },
    places.map((/** @type {string} */ letter) =>
      h(`span.errors-letter.errors-letter-${kind(letter)}`, {}, making.includes(letter) ? letter : "·")));
}
