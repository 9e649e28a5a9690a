/** Chains: entities of the two sides that correspond to each other, and their common hue. */
import { mentionKeys } from "../shared/spans.js";

/**
 * @typedef {object} Chains names of chains by place of the entity: "K3" is that of a key entity
 * @property {string[]} left
 * @property {string[]} right
 */

const HUES = 8;

/**
 * Put the entities of both sides into chains. With the key on the left, aligned entities form a chain. Entities of
 * two systems form a chain if both are aligned with the same key entity; those that are aligned with none join the
 * entity that they share most mentions with.
 * @param {import("../types.js").ReportText} text @param {number} system @param {number | null} left a system, or null for the key
 * @returns {Chains}
 */
export function chainsOf(text, system, left) {
  const right = text.systems[system].entities.map(ownChain("R"));
  if (left === null) return { left: [...text.key.keys()].map((place) => `K${place}`), right };
  const chains = { left: text.systems[left].entities.map(ownChain("L")), right };
  const [ofLeft, ofRight] = [new Set(chains.left), new Set(chains.right)];
  for (const [one, other] of mostShared(text.systems[left].entities, text.systems[system].entities)) {
    const [from, to] = [chains.left[one], chains.right[other]];
    const isFree = !ofRight.has(from) && !ofLeft.has(to);
    // Entities that are aligned with different key entities are never joined.
    if (!isFree || (from[0] === "K" && to[0] === "K")) continue;
    const joined = from[0] === "K" ? from : to;
    chains.left[one] = chains.right[other] = joined;
    ofLeft.add(joined);
    ofRight.add(joined);
  }
  return chains;
}

/** @param {"L" | "R"} side @returns {(entity: import("../types.js").ResponseEntity, place: number) => string} */
function ownChain(side) {
  return (entity, place) => entity.key === null ? `${side}${place}` : `K${entity.key}`;
}

/** Pairs of entities that share mentions, most first. @param {import("../types.js").EntityText[]} left @param {import("../types.js").EntityText[]} right @returns {number[][]} */
function mostShared(left, right) {
  /** @type {Map<number, number>} */
  const holders = new Map();
  left.forEach((entity, place) => {
    for (const key of mentionKeys(entity)) holders.set(key, place);
  });
  /** @type {Map<number, number[]>} */
  const pairs = new Map();
  right.forEach((entity, other) => {
    for (const key of mentionKeys(entity)) {
      const one = holders.get(key);
      if (one === undefined) continue;
      const pair = pairs.get(one * right.length + other) ?? [one, other, 0];
      pair[2]++;
      pairs.set(one * right.length + other, pair);
    }
  });
  return [...pairs.values()].sort((a, b) => b[2] - a[2] || a[0] - b[0] || a[1] - b[1]);
}

/**
 * Give hues to the largest key entities, and the remaining hues to chains without a key entity. The key comes first,
 * so that an entity has the same hue for every system.
 * @param {import("../types.js").ReportText} text @param {number} system @param {number | null} left @param {Chains} chains
 * @returns {Map<string, number>} hues from 1 by chain
 */
export function huesOf(text, system, left, chains) {
  const sized = (/** @type {import("../types.js").EntityText[]} */ entities, /** @type {(place: number) => string} */ chain) => entities
    .map(({ mentions }, place) => ({ chain: chain(place), size: mentions.length })).sort((a, b) => b.size - a.size);
  const keys = sized(text.key, (place) => `K${place}`);
  const others = [
    ...sized(text.systems[system].entities, (place) => chains.right[place]),
    ...(left === null ? [] : sized(text.systems[left].entities, (place) => chains.left[place])),
  ].filter(({ chain }) => chain[0] !== "K");
  const names = new Set([...keys, ...others].map(({ chain }) => chain));
  return new Map([...names].slice(0, HUES).map((chain, number) => [chain, number + 1]));
}
