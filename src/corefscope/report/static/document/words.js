/** The words of a document: the spaces between them, and their division into rows. */

/**
 * @typedef {object} Row a sentence, or a part of a very long one
 * @property {number} sentence from 1
 * @property {number} first
 * @property {number} last
 * @property {string} speaker
 * @property {boolean} isContinued
 * @property {boolean} differs whether the two sides differ in it
 */

/** The largest number of tokens in a row; longer sentences are cut into several rows. */
const PIECE = 160;
export const ZERO = "∅";
const CJK = /[\u2e80-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff00-\uffef]/;
const HANGUL = /[\uac00-\ud7a3]/;
const CLOSING = /^(?:[.,;:!?%)\]}…]+|n['’]t|['’](?:s|re|ve|ll|d|m))$/i;

/**
 * The words of a span, cut after this many letters.
 * @param {import("../types.js").ReportText} text @param {number} first @param {number} last @param {number} [most]
 */
function spanWords(text, first, last, most = 60) {
  let words = "";
  for (let token = first; token <= last && words.length <= most; token++) {
    words += text.words[token] + (token < last ? space(text.words, token) : "");
  }
  const letters = [...words];
  return letters.length > most ? `${letters.slice(0, most - 1).join("")}…` : words;
}

/**
 * The words of a mention, with an ellipsis for each gap; a sign for a zero that the key has no token for.
 * @param {import("../types.js").ReportText} text @param {import("./parts.js").Part[]} parts @param {number} [most] letters of each part
 */
export function partWords(text, parts, most = 60) {
  return parts.map(([first, last]) => spanWords(text, first, last, most)).join(" … ") || ZERO;
}

/**
 * The head word to show: not the 's of "the mayor 's", which the rules give, but "mayor".
 * @param {string[]} words @param {number} first @param {number | null} head
 */
export function headWord(words, first, head) {
  return head !== null && head > first && /^['’]s?$/.test(words[head]) ? head - 1 : head;
}

/**
 * The space after a token: none between Chinese words or before a comma.
 * @param {string[]} words @param {number} token
 */
export function space(words, token) {
  const [word, next] = [words[token], words[token + 1] ?? ""];
  const isJoined = CJK.test(word.slice(-1)) && CJK.test(next.slice(0, 1)) && !HANGUL.test(word + next);
  return isJoined || CLOSING.test(next) ? "" : " ";
}

/**
 * Cut a document into rows.
 * @param {import("../types.js").ReportText} text
 * @param {Array<{first: number, last: number}>} different the spans in which the two sides differ
 * @returns {Row[]}
 */
export function rowsOf(text, different) {
  /** @type {Row[]} */
  const rows = [];
  text.sentences.forEach((/** @type {number[]} */ [first, last], /** @type {number} */ number) => {
    const speaker = text.speakers?.[number] ?? "";
    for (let from = first; from <= last; from += PIECE) {
      rows.push({
        sentence: number + 1, first: from, last: Math.min(last, from + PIECE - 1),
        speaker: speaker === "-" ? "" : speaker, isContinued: from > first, differs: false,
      });
    }
  });
  for (const { first, last } of different) {
    for (let at = rowAt(rows, first); at < rows.length && rows[at].first <= last; at++) rows[at].differs = true;
  }
  return rows;
}

/** The number of the row that contains a token. @param {Row[]} rows @param {number} token */
export function rowAt(rows, token) {
  let low = 0;
  let high = rows.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (rows[middle].first <= token) low = middle;
    else high = middle - 1;
  }
  return low;
}
