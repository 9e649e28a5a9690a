/** Copying a link to the view, or a mention in its sentence as LaTeX. */
import { announce, copied, documentName, h, label } from "../shared/dom.js";
import { ZERO, rowAt, space } from "./words.js";

/**
 * @typedef {import("./open.js").View} View
 */

/** Special characters of TeX, and how to escape them. @type {Record<string, string>} */
const TEX = {
  "\\": "\\textbackslash{}", "{": "\\{", "}": "\\}", $: "\\$", "&": "\\&", "#": "\\#", "%": "\\%", _: "\\_",
  "^": "\\textasciicircum{}", "~": "\\textasciitilde{}", "∅": "$\\emptyset$",
};

/**
 * A small button that copies.
 * @param {string} id @param {string} title @param {string} what @param {() => string} text
 */
export function copyButton(id, title, what, text) {
  const onclick = (/** @type {import("../shared/dom.js").Changed} */ event) => copy(event.currentTarget, what, text());
  return h("button.doc-button", { id, onclick }, title);
}

/** @param {HTMLElement} button @param {string} what @param {string} text */
async function copy(button, what, text) {
  if (await copied(text)) return announce(`${what} copied.`);
  // Without access to the clipboard, show the text to be copied by hand.
  const field = /** @type {HTMLTextAreaElement} */ (
    h("textarea.doc-copied", { readonly: true, rows: 3, "aria-label": what }, text));
  button.parentElement?.querySelector(".doc-copied")?.remove();
  button.parentElement?.append(field);
  field.select();
}

/**
 * A mention in its sentence as LaTeX without packages, after a comment that names its source.
 * @param {View} view @param {number} first its first token, or the one beside it @param {import("./parts.js").Part[]} parts
 * @param {import("./parts.js").ZeroPlace | null} zero @param {string} tag of its entity
 */
export function latex(view, first, parts, zero, tag) {
  const { context: { errors, summary }, model: { rows, system, text }, selected } = view;
  const { sentence } = rows[rowAt(rows, first)];
  const [from, to] = text.sentences[sentence - 1];
  const last = Math.max(to, ...parts.map(([, end]) => end));
  const [starts, ends] = [new Set(parts.map(([start]) => start)), new Set(parts.map(([, end]) => end))];
  const sub = `$_{${tag}}$`;
  const sign = `\\textbf{[${tex(ZERO)}]}${sub}`;
  const isEnd = (/** @type {number} */ token) => token === parts[parts.length - 1]?.[1];
  let words = "";
  for (let token = from; token <= last; token++) {
    if (zero?.isBefore && token === first) words += `${sign} `;
    if (starts.has(token)) words += "\\textbf{[";
    words += tex(text.words[token]);
    if (ends.has(token)) words += `]}${isEnd(token) ? sub : ""}`;
    if (zero && !zero.isBefore && token === first) words += ` ${sign}`;
    if (token < last) words += space(text.words, token);
  }
  const where = [documentName(text.name), `sentence ${sentence}`, summary.systems[system].name];
  if (selected !== null) where.push(label(errors.type[selected]));
  return `% ${where.join(", ").replace(/\s+/g, " ")}\n${words}\n`;
}

/** @param {string} text */
function tex(text) {
  return text.replace(/[\\{}$&#%_^~∅]/g, (letter) => TEX[letter]);
}
