/** Copying a link to the view, or a mention in its sentence as LaTeX. */
import { announce, copied, documentName, h, label } from "../shared/dom.js";
import { rowAt, space } from "./words.js";

/**
 * @typedef {import("./open.js").View} View
 */

/** Special characters of TeX, and how to escape them. @type {Record<string, string>} */
const TEX = {
  "\\": "\\textbackslash{}", "{": "\\{", "}": "\\}", $: "\\$", "&": "\\&", "#": "\\#", "%": "\\%", _: "\\_",
  "^": "\\textasciicircum{}", "~": "\\textasciitilde{}",
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
 * @param {View} view @param {number} first @param {number} last @param {string} tag of its entity
 */
export function latex(view, first, last, tag) {
  const { context: { errors, summary }, model: { rows, system, text }, selected } = view;
  const { sentence } = rows[rowAt(rows, first)];
  const [from, to] = text.sentences[sentence - 1];
  const words = (/** @type {number} */ start, /** @type {number} */ end) => {
    let joined = "";
    for (let token = start; token <= end; token++) {
      joined += text.words[token] + (token < end ? space(text.words, token) : "");
    }
    return tex(joined);
  };
  const before = first > from ? words(from, first - 1) + space(text.words, first - 1) : "";
  const after = last < to ? space(text.words, last) + words(last + 1, Math.max(to, last)) : "";
  const where = [documentName(text.name), `sentence ${sentence}`, summary.systems[system].name];
  if (selected !== null) where.push(label(errors.type[selected]));
  return `% ${where.join(", ").replace(/\s+/g, " ")}\n${before}\\textbf{[${words(first, last)}]}$_{${tag}}$${after}\n`;
}

/** @param {string} text */
function tex(text) {
  return text.replace(/[\\{}$&#%_^~]/g, (letter) => TEX[letter]);
}
