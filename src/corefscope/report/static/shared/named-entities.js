/** What named entity coreference knows of a system: the key entities with a name, and which were not found. */

/**
 * @typedef {object} NamedRow a key entity with a name
 * @property {string} document its name
 * @property {string} entity K3
 * @property {string} type
 * @property {number} mentions
 * @property {string[]} names
 * @property {string | null} best the one that it is paired with
 * @property {number} common mentions that the two have in common
 * @property {number} f1
 * @property {boolean} found as the measure was told to count
 * @property {string[]} split response entities with a mention of it that its name heads
 *
 * @typedef {object} Combined a response entity that has the names of several key entities
 * @property {string} document
 * @property {string} entity R7
 * @property {string[]} types of all its names, also of those that are no key entity's
 * @property {NamedRow[]} held
 */

/**
 * What was measured of a system; nothing where its file tells no places of mentions.
 * @param {any} summary @param {number} number
 */
export function namesMeasured(summary, number) {
  const name = summary.systems[number]?.name;
  return summary.nec?.systems.find((/** @type {any} */ each) => each.name === name) ?? null;
}

/** @param {NamedRow[]} rows @param {string} type "" for all */
function ofType(rows, type) {
  return type ? rows.filter((row) => row.type === type) : rows;
}

/**
 * The entities that were not found, the largest first.
 * @param {any} measured @param {string} [type] @returns {NamedRow[]}
 */
export function namesLost(measured, type = "") {
  return ofType(measured.detail, type).filter((row) => !row.found)
    .sort((one, other) => other.mentions - one.mentions);
}

/**
 * The entities whose name is in several response entities, in most first.
 * @param {any} measured @param {string} type @returns {NamedRow[]}
 */
export function namesSplit(measured, type) {
  return ofType(measured.detail, type).filter((row) => row.split.length > 1)
    .sort((one, other) => other.split.length - one.split.length || other.mentions - one.mentions);
}

/**
 * The response entities with a name of the type that have the names of several key entities; of most first.
 * @param {any} measured @param {string} type @returns {Combined[]}
 */
export function namesCombined(measured, type) {
  // A key entity may have a row for each of its types: the last is as good as any.
  const rows = new Map(measured.detail.map((/** @type {NamedRow} */ row) => [`${row.entity} ${row.document}`, row]));
  return measured.combined.filter((/** @type {any} */ each) => !type || each.types.includes(type))
    .map((/** @type {any} */ each) => ({
      ...each, held: each.holds.map((/** @type {string} */ entity) => rows.get(`${entity} ${each.document}`)),
    }))
    .sort((/** @type {Combined} */ one, /** @type {Combined} */ other) => other.held.length - one.held.length);
}
