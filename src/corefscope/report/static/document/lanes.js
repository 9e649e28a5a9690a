/** Lanes under the words: mentions that overlap are drawn on different lines. */

/** How many lanes are drawn; mentions on deeper ones are counted as "+n". */
export const MOST_LANES = 5;

/**
 * Give each span the number of a lane, from 0, so that no two spans that share a token share a lane.
 *
 * Spans are placed in the order of their ends, inner before outer. So a mention inside another is nearer to the words,
 * and a lane is free exactly if its last span ends before the new one begins.
 * @param {ReadonlyArray<readonly [number, number]>} spans first and last token, inclusive
 * @returns {number[]} by span, in the order given
 */
export function lanesOf(spans) {
  const order = spans.map((_, place) => place);
  order.sort((a, b) => spans[a][1] - spans[b][1] || spans[b][0] - spans[a][0] || a - b);
  /** @type {number[]} */
  const ends = [];
  /** @type {number[]} */
  const lanes = new Array(spans.length).fill(0);
  for (const place of order) {
    const [first, last] = spans[place];
    let lane = ends.findIndex((end) => end < first);
    if (lane < 0) lane = ends.length;
    ends[lane] = last;
    lanes[place] = lane;
  }
  return lanes;
}
