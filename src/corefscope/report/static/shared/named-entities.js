/** Results of named entity coreference: entities that were not found, split or combined. */

/**
 * @typedef {import("../types.js").NamedChainRecord} NamedRow a key entity with a name
 *
 * @typedef {object} Combined a response entity that has the names of several key entities
 * @property {string} document
 * @property {string} entity R7
 * @property {string[]} types of all its names, including those of no key entity
 * @property {NamedRow[]} held
 */

/**
 * The results of a system; null if its mentions have no positions.
 * @param {import("../types.js").Summary} summary @param {number} number
 */
export function namesMeasured(summary, number) {
  const name = summary.systems[number]?.name;
  return summary.nec?.systems.find((each) => each.name === name) ?? null;
}

/** @param {NamedRow[]} rows @param {string} type "" for all */
function ofType(rows, type) {
  return type ? rows.filter((row) => row.type === type) : rows;
}

/**
 * The entities that were not found, the largest first.
 * @param {import("../types.js").NecSystem} measured @param {string} [type] @returns {NamedRow[]}
 */
export function namesLost(measured, type = "") {
  return ofType(measured.detail, type).filter((row) => !row.found)
    .sort((one, other) => other.mentions - one.mentions);
}

/**
 * The entities whose name is in several response entities, those with most parts first.
 * @param {import("../types.js").NecSystem} measured @param {string} type @returns {NamedRow[]}
 */
export function namesSplit(measured, type) {
  return ofType(measured.detail, type).filter((row) => row.split.length > 1)
    .sort((one, other) => other.split.length - one.split.length || other.mentions - one.mentions);
}

/**
 * The response entities with a name of the type that combine several key entities, largest first.
 * @param {import("../types.js").NecSystem} measured @param {string} type @returns {Combined[]}
 */
export function namesCombined(measured, type) {
  // A key entity may have a row for each of its types; any of them will do.
  const rows = new Map(measured.detail.map((row) => [`${row.entity} ${row.document}`, row]));
  return measured.combined.filter((each) => !type || each.types.includes(type))
    .map((each) => ({
      ...each, held: each.holds.flatMap((entity) => rows.get(`${entity} ${each.document}`) ?? []),
    }))
    .sort((one, other) => other.held.length - one.held.length);
}
