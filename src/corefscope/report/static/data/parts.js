/** Common parts of the data view. */
import { h, scrolls } from "../shared/dom.js";
import { linkTo } from "../shared/links.js";

/** @param {string} id @param {string} title @param {...import("../shared/dom.js").Child} children */
export function card(id, title, ...children) {
  const name = `data-${id}-title`;
  return h("section.card", { "aria-labelledby": name }, h("h2", { id: name }, title), children);
}

/**
 * A table that scrolls if it is too wide.
 * @param {string} title
 * @param {Array<string | [string]>} head titles of columns; one in brackets is of numbers
 * @param {import("../shared/dom.js").Child[]} rows
 */
export function table(title, head, rows) {
  return scrolls(`Table: ${title}`, h("table.data-table", {},
    h("thead", {}, h("tr", {}, head.map((each) => Array.isArray(each)
      ? h("th.number", { scope: "col" }, each[0]) : h("th", { scope: "col" }, each)))),
    h("tbody", {}, rows)));
}

/** A link to a document, marked so that it can be updated. @param {number} number */
export function documentLink(number) {
  return { ...linkTo({ tab: "document", document: number, entity: null }), dataset: { document: number } };
}

/** The letter and name of a system. @param {import("../types.js").Summary} summary @param {string} name */
export function systemLabel(summary, name) {
  const found = summary.systems.find((each) => each.name === name);
  return found ? [h("b", {}, found.letter), ` ${name}`] : name;
}

/**
 * The values of systems, as one record if they are all the same.
 * @template {{name: string}} S
 * @template T
 * @param {import("../types.js").Summary} summary
 * @param {S[]} systems
 * @param {(system: S) => T} value
 * @returns {Array<{who: import("../shared/dom.js").Child, value: T}>}
 */
export function bySystem(summary, systems, value) {
  const values = systems.map(value);
  const isOne = values.every((each) => JSON.stringify(each) === JSON.stringify(values[0]));
  const isOfAll = systems.length > 1 && systems.length === summary.systems.length;
  if (isOne && isOfAll) return [{ who: "all systems", value: values[0] }];
  return systems.map((system, place) => ({ who: systemLabel(summary, system.name), value: values[place] }));
}
