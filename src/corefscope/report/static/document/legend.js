/** The legend of the marks, which depends on what is compared. */
import { h } from "../shared/dom.js";
import { signsOf } from "./wording.js";

/**
 * @typedef {import("./model.js").Model} Model
 */

/** @param {Model} model @param {boolean} isOpen */
export function legend(model, isOpen) {
  const signs = signsOf(model);
  const of = model.left === null ? "" : ".doc-of-two";
  const carets = h("span.doc-sample", { "aria-hidden": "true" },
    "word", h("span.doc-caret.doc-caret-R", {}, signs.missing),
    " word", h("span.doc-caret.doc-caret-L", {}, signs.extra));
  return h(`details.doc-legend${of}`, { id: "doc-legend", open: isOpen },
    h("summary", {}, "How to read the marks"), h("ul", {},
    model.left === null ? legendOfKey() : legendOfTwo(model),
    sample("doc-hue-1.doc-single", model.left === null ? "K4" : "R4", "an entity with one mention"),
    h("li", {}, carets, h("span", {}, "no tag: only the other side has a mention here")),
    model.mentions.some(({ parts }) => parts.length > 1) && gapSample(),
    (model.zeros.size > 0 || model.mentions.some(({ parts }) => !parts.length)) && zeroSample()));
}

function gapSample() {
  const bar = () => h("i.doc-bar.doc-lane-0.doc-begins.doc-ends.doc-hue-1");
  return h("li", {}, h("span", { "aria-hidden": "true" },
    h("span.doc-word.doc-sample", {}, "a", bar(), h("span.doc-gap.doc-hue-1", {}, "…")), " b ",
    h("span.doc-word.doc-sample", {}, "c", bar(), h("sup.doc-sample-mark.doc-hue-1", {}, "K1"))),
  h("span", {}, "a mention with a gap: it goes on after …, and has its tag at the end"));
}

function zeroSample() {
  return h("li", {}, h("span.doc-word.doc-sample.doc-zero", { "aria-hidden": "true" }, "∅", h("small.doc-lemma", {}, "lemma")),
    h("span", {}, "a zero: it is not in the text"));
}

/** @param {string} classes @param {string} mark @param {string} says */
function sample(classes, mark, says) {
  return h("li", {}, h("span.doc-word.doc-sample", { "aria-hidden": "true" }, "word",
    h(`i.doc-bar.doc-lane-0.doc-begins.doc-ends.${classes}`), h(`sup.doc-sample-mark.${classes}`, {}, mark)),
  h("span", {}, says));
}

function legendOfKey() {
  return [
    sample("doc-hue-1", "K1", "a mention; a key entity and its aligned response entity share a hue"),
    sample("doc-hue-0", "K9", "a smaller entity, grey until it is highlighted"),
    sample("doc-hue-1.doc-is-missing", "K1○", "missing: only in the key"),
    sample("doc-hue-1.doc-is-extra", "R1×", "extra: only in the response"),
    sample("doc-hue-3.doc-is-wrong", "R2⚑K1", "in the wrong entity; the flag names the right one"),
    sample("doc-hue-1.doc-is-wrong", "K1→R2", "the same mention in the key: the response has it in R2"),
    sample("doc-hue-1.doc-is-boundary", "R1↔", "different boundaries; words that differ are hatched"),
  ];
}

/** @param {Model} model */
function legendOfTwo({ letters: { L, R } }) {
  return [
    sample("doc-hue-1", `R1·${L}`, `a mention of ${L}; entities that are aligned with the same key entity share a hue`),
    sample("doc-hue-0", "R9", "a smaller entity, grey until it is highlighted"),
    sample("doc-hue-1.doc-is-missing", `R1·${L}◁`, `only in ${L}`),
    sample("doc-hue-1.doc-is-extra", "R1▷", `only in ${R}`),
    sample("doc-hue-3.doc-is-wrong", `R2→R1·${L}`, `in another entity: ${L} has it in its R1`),
    sample("doc-hue-1.doc-is-boundary", "R1↔", "same head, different boundaries; words that differ are hatched"),
    sample("doc-hue-1", "R1✓", "correct according to the key, which has it in the entity that R1 is aligned with"),
    sample("doc-hue-1", "R1✗", "wrong according to the key, which has it in another entity or not at all"),
  ];
}
