/** What named entity coreference knows of a system: the key entities with a name, and which were not found. */

/**
 * @typedef {import("../types.js").NamedChainRecord} NamedRow a key entity with a name
 *
 * @typedef {object} Combined a response entity that has the names of several key entities
 * @property {string} document
 * @property {string} entity R7
 * @property {string[]} types of all its names, also of those that are no key entity's
 * @property {NamedRow[]} held
 */

/**
 * What was measured of a system; nothing where its file tells no places of mentions.
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
 * The entities whose name is in several response entities, in most first.
 * @param {import("../types.js").NecSystem} measured @param {string} type @returns {NamedRow[]}
 */
export function namesSplit(measured, type) {
  return ofType(measured.detail, type).filter((row) => row.split.length > 1)
    .sort((one, other) => other.split.length - one.split.length || other.mentions - one.mentions);
}

/**
 * The response entities with a name of the type that have the names of several key entities; of most first.
 * @param {import("../types.js").NecSystem} measured @param {string} type @returns {Combined[]}
 */
export function namesCombined(measured, type) {
  // A key entity may have a row for each of its types: the last is as good as any.
  const rows = new Map(measured.detail.map((row) => [`${row.entity} ${row.document}`, row]));
  return measured.combined.filter((each) => !type || each.types.includes(type))
    .map((each) => ({
      ...each, held: each.holds.flatMap((entity) => rows.get(`${entity} ${each.document}`) ?? []),
    }))
    .sort((one, other) => other.held.length - one.held.length);
}
