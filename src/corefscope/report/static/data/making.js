/** How the report was made: command, signatures and settings. */
import { copyOrSelect, counted, h } from "../shared/dom.js";
import { bySystem, card } from "./parts.js";

/** The meaning of the parts of a signature. @type {Record<string, string>} */
const SETTINGS = {
  profile: "Profile", match: "Mentions match", singletons: "Singletons", duplicates: "Repeated mentions",
  average: "Average", docs: "Documents", unit: "Unit", units: "Units", test: "Test", samples: "Samples", seed: "Seed",
  confidence: "Confidence", errors: "Error rules", heads: "Heads from",
  "from-response": "From the response", nec: "Heads from",
};

/** @param {import("../types.js").Summary} summary */
export function makingCard(summary) {
  return card("again", "How this was made",
    // Reports from Python have no command.
    summary.command && copyLine("command", "Command", summary.command),
    h("h3", {}, "Signatures"),
    h("p.soft.data-note", {},
      "Signatures name the rules by which numbers were computed. Cite them: compare scores only if their signatures are equal, apart from the name of the profile."),
    signaturesOf(summary).map(({ id, title, text }) => copyLine(id, title, text)),
    h("p.soft.data-note.data-made", {},
      `corefscope ${summary.corefscope}.`,
      summary.command && " The same files and command give exactly the same page."));
}

/** The signatures of all results, by system if they differ. @param {import("../types.js").Summary} summary */
function signaturesOf(summary) {
  const { scores, comparison, errors, nec } = summary;
  /** @type {Array<[string, string, {systems: Array<{name: string, signature: string}>} | null]>} */
  const computed = [["signature", "Scores", scores], ["errors", "Errors", errors], ["names", "Names", nec]];
  const parts = computed.flatMap(([id, title, part]) => {
    const signatures = bySystem(summary, part?.systems ?? [], (each) => each.signature);
    return signatures.map(({ who, value }, place) => ({
      id: place ? `${id}-${place}` : id, title: signatures.length > 1 ? [title, " of ", who] : title, text: value,
    }));
  });
  return [parts[0], { id: "comparison", title: "Comparison", text: comparison.signature }, ...parts.slice(1)];
}

/** A line with a button that copies it. @param {string} id @param {import("../shared/dom.js").Child} title @param {string} text */
function copyLine(id, title, text) {
  // Signatures wrap only between their parts.
  const code = h("code.mono.data-code", { id: `data-${id}` }, text.split(/(?<=\|)/).map((part) => [part, h("wbr")]));
  const name = h("span.data-copied-name", { id: `data-${id}-name` }, title);
  const button = h("button.data-copy", {
    id: `data-copy-${id}`, "aria-labelledby": `data-copy-${id} data-${id}-name`, onclick: () => copyOrSelect(code),
  }, "Copy");
  return h("div.data-copied", {}, name, code, button);
}

/** All settings, read from the results. @param {import("../types.js").Summary} summary */
export function configurationCard(summary) {
  const { scores, comparison, errors, nec } = summary;
  const shared = signatureParts(scores.systems[0].signature);
  const own = (/** @type {string} */ signature) =>
    signatureParts(signature).filter(([name, value]) => !shared.some(([other, same]) => other === name && same === value));
  const options = Object.entries(nec?.systems[0].options ?? {});
  return card("configuration", "Configuration",
    h("div.data-settings", {},
      settings("Scores", shared),
      settings("Comparison", own(comparison.signature)),
      settings("Errors", own(errors.systems[0].signature), "As for the scores, except:"),
      nec && settings("Names", own(nec.systems[0].signature), "As for the scores, and:")),
    options.length > 0 && h("details.data-more", {},
      h("summary", { id: "data-names-options" }, `All ${options.length} settings of names`),
      pairList(options.map(([name, value]) => [name.replaceAll("_", " "), valueText(value)]))));
}

/** The parts of a signature, except for the version. @param {string} signature @returns {Array<[string, string]>} */
function signatureParts(signature) {
  return signature.split("|").slice(1).map((part) => {
    const at = part.indexOf(":");
    return [part.slice(0, at), part.slice(at + 1)];
  });
}

/** @param {string} title @param {Array<[string, string]>} parts @param {string} [note] */
function settings(title, parts, note = "") {
  const show = (/** @type {string} */ name, /** @type {string} */ value) =>
    (/^\d+$/.test(value) && name !== "seed" ? counted(Number(value)) : value);
  return h("div", {}, h("h3", {}, title), note && h("p.soft.data-note", {}, note),
    pairList(parts.map(([name, value]) => [SETTINGS[name] ?? name, show(name, value)])));
}

/** @param {string[][]} pairs */
function pairList(pairs) {
  return h("dl.data-list", {}, pairs.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
}

/** "PERSON → PER, ORG". @param {string | Record<string, string>} value */
function valueText(value) {
  if (typeof value === "string") return value;
  return Object.entries(value).map(([from, to]) => (from === to ? from : `${from} → ${to}`)).join(", ");
}
