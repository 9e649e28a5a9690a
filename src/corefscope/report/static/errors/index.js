/** Errors as numbers: every facet of every row is coded once, so that a choice only compares numbers. */
import { state } from "../shared/state.js";
import { FACETS, soughtIn, versus } from "../shared/facets.js";

/**
 * @typedef {import("../shared/facets.js").Context} Context
 *
 * @typedef {object} ErrorsCoded
 * @property {string} of what the values depend on beside the row
 * @property {string[]} values
 * @property {Int32Array} codes by row, the place of its value
 * @property {Int32Array} [order] places of the values in the order of the alphabet; made when it is needed
 *
 * @typedef {object} ErrorsIndex
 * @property {Context} context
 * @property {ErrorsCoded[]} coded by facet
 * @property {Map<string, Int32Array>} orders rows as a column sorts them
 * @property {{of: string, counts: Int32Array[]} | null} unfiltered counts of all errors of the chosen systems
 * @property {string[] | null} sought what each row is found by; made by the first search
 *
 * @typedef {object} ErrorsChosen
 * @property {Uint8Array} passes by row, whether it is chosen
 * @property {number} total
 * @property {Int32Array[]} counts by facet and value, each under the choices of the other facets
 *
 * @typedef {object} ErrorsGroup
 * @property {string} value of the facet that is grouped by
 * @property {number} count
 * @property {Int32Array} parts counts by the values of another facet
 */

/** @param {Context} context @returns {ErrorsIndex} */
export function indexOf(context) {
  return { context, coded: [], orders: new Map(), unfiltered: null, sought: null };
}

/** The facet of a name as numbers. @param {ErrorsIndex} index @param {string} id */
export function codedBy(index, id) {
  return codedFacet(index, FACETS.findIndex((each) => each.id === id));
}

/** @param {ErrorsIndex} index @param {number} at the place of a facet @returns {ErrorsCoded} */
function codedFacet(index, at) {
  const { context, coded } = index;
  const { id, value } = FACETS[at];
  // What became of an error depends on which systems are compared; the rest only on the row.
  const of = id === "change" ? `${state().system} ${versus()}` : "";
  if (coded[at]?.of !== of) coded[at] = { of, ...codesOf(context.errors.id.length, (row) => value(context, row)) };
  return coded[at];
}

/**
 * @template {string | number} Value
 * @param {number} length
 * @param {(row: number) => Value} value
 */
function codesOf(length, value) {
  const codes = new Int32Array(length);
  /** @type {Map<Value, number>} */
  const places = new Map();
  for (let row = 0; row < length; row++) {
    const found = value(row);
    let place = places.get(found);
    if (place === undefined) places.set(found, (place = places.size));
    codes[row] = place;
  }
  return { codes, values: [...places.keys()] };
}

/**
 * Choose rows and count all facets in one pass: a row that only one facet refuses counts for the values
 * of that facet, since each is counted under the choices of the others.
 * @param {ErrorsIndex} index
 * @param {{filters: Record<string, string[]>, search: string}} wanted
 * @param {Set<number> | null} kept rows to choose from; null for all
 * @returns {ErrorsChosen}
 */
export function select(index, { filters, search }, kept) {
  const { length } = index.context.errors.id;
  const coded = FACETS.map((_, at) => codedFacet(index, at));
  const wanted = FACETS.map(({ id }, at) => wantedCodes(filters[id], coded[at].values));
  const active = wanted.flatMap((each, at) => (each ? [at] : []));
  const counts = coded.map(({ values }) => new Int32Array(values.length));
  const found = foundRows(index, search);
  const passes = new Uint8Array(length);
  let total = 0;
  for (let row = 0; row < length; row++) {
    if ((kept && !kept.has(row)) || (found && !found[row])) continue;
    let refused = -1;
    let refusals = 0;
    for (const at of active) {
      if (/** @type {Uint8Array} */ (wanted[at])[coded[at].codes[row]]) continue;
      refused = at;
      if (++refusals > 1) break;
    }
    if (refusals === 1) counts[refused][coded[refused].codes[row]]++;
    if (refusals) continue;
    passes[row] = 1;
    total++;
    for (let at = 0; at < counts.length; at++) counts[at][coded[at].codes[row]]++;
  }
  return { passes, total, counts };
}

/**
 * The counts of a facet whatever is filtered: they give its values an order that no choice changes.
 * @param {ErrorsIndex} index @param {string} id @param {string[]} system the systems that are chosen
 */
export function unfiltered(index, id, system) {
  const of = JSON.stringify([system, state().system, versus()]);
  if (index.unfiltered?.of !== of) {
    index.unfiltered = { of, counts: select(index, { filters: { system }, search: "" }, null).counts };
  }
  return index.unfiltered.counts[FACETS.findIndex((each) => each.id === id)];
}

/** @param {string[] | undefined} chosen @param {string[]} values @returns {Uint8Array | null} */
function wantedCodes(chosen, values) {
  if (!chosen?.length) return null;
  const wanted = new Set(chosen);
  return Uint8Array.from(values, (value) => (wanted.has(value) ? 1 : 0));
}

/** @param {ErrorsIndex} index @param {string} search @returns {Uint8Array | null} */
function foundRows(index, search) {
  const text = search.trim().toLowerCase();
  if (!text) return null;
  const { context } = index;
  index.sought ??= Array.from(context.errors.id, (_, row) => soughtIn(context, row));
  return Uint8Array.from(index.sought, (words) => (words.includes(text) ? 1 : 0));
}

/**
 * The rows in the order of a column, found once; equal ones stay in the order of the table.
 * @param {ErrorsIndex} index
 * @param {string} sort the column and its direction: "text.desc"
 * @param {((context: Context, row: number) => string | number) | undefined} key what it is sorted by
 */
export function rowOrder(index, sort, key) {
  const known = index.orders.get(sort);
  if (known) return known;
  const { length } = index.context.errors.id;
  const order = Int32Array.from({ length }, (_, row) => row);
  if (key) {
    const { codes, values } = codesOf(length, (row) => key(index.context, row));
    const ranks = new Int32Array(values.length);
    const isDown = sort.endsWith(".desc");
    sorted(values).forEach((place, rank) => { ranks[place] = isDown ? values.length - 1 - rank : rank; });
    // Rank and row in one number: numbers sort many times faster than a comparison of two rows.
    const places = Float64Array.from(codes, (code, row) => ranks[code] * length + row).sort();
    places.forEach((place, at) => { order[at] = place % length; });
  }
  index.orders.set(sort, order);
  return order;
}

/** The places of different values in their order. @param {Array<string | number>} values */
function sorted(values) {
  return Int32Array.from(values, (_, place) => place).sort((one, other) => (values[one] < values[other] ? -1 : 1));
}

/**
 * Places of values, those of most rows first, then by the alphabet.
 * @param {ErrorsCoded} coded
 * @param {Int32Array} counts
 * @param {(place: number) => boolean} isListed though no row has it
 */
export function byCount(coded, counts, isListed) {
  const order = (coded.order ??= sorted(coded.values));
  const listed = order.filter((place) => counts[place] || isListed(place));
  // Count and place in one number, as above.
  const keys = Float64Array.from(listed, (place, at) => at - counts[place] * listed.length).sort();
  return Array.from(keys, (key) => listed[((key % listed.length) + listed.length) % listed.length]);
}

/** The chosen rows in an order. @param {Int32Array} order @param {ErrorsChosen} chosen */
export function chosenRows(order, { passes, total }) {
  const rows = new Int32Array(total);
  let place = 0;
  for (const row of order) if (passes[row]) rows[place++] = row;
  return rows;
}

/**
 * Count the chosen rows by the values of a facet, and each of these by another: "it: 131 extra, 39 missing".
 * @param {ErrorsIndex} index
 * @param {Uint8Array} passes
 * @param {string} by
 * @param {string} parted the facet of the parts
 * @returns {ErrorsGroup[]}
 */
export function groupsOf(index, passes, by, parted) {
  const [groups, parts] = [codedBy(index, by), codedBy(index, parted)];
  const width = parts.values.length;
  const counts = new Int32Array(groups.values.length);
  const byPart = new Int32Array(groups.values.length * width);
  for (let row = 0; row < passes.length; row++) {
    if (!passes[row]) continue;
    counts[groups.codes[row]]++;
    byPart[groups.codes[row] * width + parts.codes[row]]++;
  }
  return byCount(groups, counts, () => false).map((code) => ({
    value: groups.values[code], count: counts[code], parts: byPart.subarray(code * width, (code + 1) * width),
  }));
}

/**
 * The parts of a group by name, the largest first.
 * @param {ErrorsIndex} index @param {ErrorsGroup} group @param {string} parted
 */
export function partsOf(index, { parts }, parted) {
  const { values } = codedBy(index, parted);
  return values.map((value, code) => /** @type {[string, number]} */ ([value, parts[code]]))
    .filter(([, count]) => count).sort((one, other) => other[1] - one[1]);
}
