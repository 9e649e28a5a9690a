/** Which errors are shown: the facets, and the rows that their chosen values leave. */
import { documentName, label } from "./dom.js";

/**
 * @typedef {object} Facet
 * @property {string} id the name in the address
 * @property {string} title
 * @property {(errors: any, row: number, summary: any) => string} value
 * @property {(value: string, summary: any) => string} show
 */

const SIZES = ["1", "2", "3–5", "6–10", "more than 10"];

/** @param {number} size */
function bucket(size) {
  return SIZES[size <= 2 ? size - 1 : size <= 5 ? 2 : size <= 10 ? 3 : 4];
}

/** @param {number | null} tokens */
function distanceBucket(tokens) {
  if (tokens === null) return "first of its entity";
  return tokens <= 10 ? "up to 10 tokens" : tokens <= 50 ? "11–50" : tokens <= 200 ? "51–200" : "more than 200";
}

/** @type {Facet[]} */
export const FACETS = [
  { id: "type", title: "Error type", value: (e, row) => e.type[row], show: label },
  {
    id: "mention",
    title: "Mention type",
    value: (e, row) => e.mention_type[row] || "part or entity",
    show: (value) => value,
  },
  {
    id: "system",
    title: "System",
    value: (e, row) => String(e.system[row]),
    show: (value, summary) => summary.systems[Number(value)]?.name ?? `no system ${value}`,
  },
  {
    id: "document",
    title: "Document",
    value: (e, row) => String(e.document[row]),
    show: (value, summary) => documentName(summary.documents[Number(value)]?.name ?? `no document ${value}`),
  },
  {
    id: "name",
    title: "Entity type",
    value: (e, row) => e.entity_type[row] || "no name",
    show: (value) => value,
  },
  {
    id: "distance",
    title: "Distance to the mention before",
    value: (e, row) => distanceBucket(e.distance[row]),
    show: (value) => value,
  },
  {
    // Entities of the key are the same for all systems, those of a response are not.
    id: "entity",
    title: "Entity",
    value: (e, row, summary) => {
      const of = e.entity[row].startsWith("K") ? "" : `/${summary.systems[e.system[row]].letter}`;
      return `${e.document[row]}/${e.entity[row]}${of}`;
    },
    show: (value, summary) => {
      const [document, name, letter] = value.split("/");
      return `${name}${letter ? ` of ${letter}` : ""} · ${documentName(summary.documents[Number(document)]?.name ?? "?")}`;
    },
  },
  { id: "size", title: "Size of the part", value: (e, row) => bucket(e.size[row]), show: (value) => value },
  { id: "text", title: "Text", value: (e, row) => (e.text[row] ?? "").toLowerCase(), show: (value) => value },
];

/** @param {string} id @returns {Facet} */
export function facet(id) {
  const found = FACETS.find((each) => each.id === id);
  if (!found) throw new Error(`no facet ${id}`);
  return found;
}

/**
 * Return the rows that the filters and the search choose, in the order of the table.
 * @param {any} errors columns of the table of errors
 * @param {any} summary
 * @param {{filters: Record<string, string[]>, search: string}} chosen
 * @returns {number[]}
 */
export function rowsMatching(errors, summary, chosen) {
  const tests = Object.entries(chosen.filters)
    .filter(([id, values]) => values.length && FACETS.some((each) => each.id === id))
    .map(([id, values]) => ({ value: facet(id).value, wanted: new Set(values) }));
  const search = chosen.search.trim().toLowerCase();
  const rows = [];
  for (let row = 0; row < errors.id.length; row++) {
    if (!tests.every(({ value, wanted }) => wanted.has(value(errors, row, summary)))) continue;
    if (search && !errors.words[row].toLowerCase().includes(search)) continue;
    rows.push(row);
  }
  return rows;
}

/**
 * Return filters with a value switched on or off.
 * @param {Record<string, string[]>} filters
 * @param {string} id
 * @param {string} value
 * @returns {Record<string, string[]>}
 */
export function toggled(filters, id, value) {
  const values = filters[id] ?? [];
  const changed = values.includes(value) ? values.filter((each) => each !== value) : [...values, value];
  const { [id]: _, ...others } = filters;
  return changed.length ? { ...others, [id]: changed } : others;
}
