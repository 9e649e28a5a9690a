/** The inputs of the report: files, missing documents, findings, and the sources of heads and types. */
import { h, counted, documentName, numbered } from "../shared/dom.js";
import { bySystem, card, documentLink, systemLabel, table } from "./parts.js";

const MOST_FINDINGS = 200;
const MOST_NAMES = 200;
/** The layers that heads and types come from. @type {Record<string, string>} */
const SOURCES = {
  parse: "parse trees", tags: "part-of-speech tags", words: "words", names: "named entities",
  nothing: "nothing, because there are no words",
};

/** @param {import("../types.js").Summary} summary */
export function filesCard(summary) {
  return card("files", "Files", table("files", ["Role", "Name", "Path and SHA-256", ["Bytes"]],
    summary.files.map((file) => h("tr", {},
      h("td", {}, file.role),
      h("td", {}, file.role === "response" ? systemLabel(summary, file.name) : file.name),
      h("td.mono", {}, file.path ?? h("span.soft", {}, "not a file"), file.sha256 && h("div.soft", {}, file.sha256)),
      h("td.number", {}, file.bytes === null ? h("span.soft", {}, "–") : counted(file.bytes))))),
    coverage(summary));
}

/** The numbers of scored, missing and extra documents. @param {import("../types.js").Summary} summary */
function coverage(summary) {
  const empty = summary.documents.filter((each) => !each.entities);
  const systems = bySystem(summary, summary.scores.systems, (each) => each.documents);
  return [
    h("h3", {}, "Coverage"),
    table("coverage", ["System", ["Documents scored"], "Missing, counted as empty", "Not in the key, ignored"],
      systems.map(({ who, value }) => h("tr", {}, h("td", {}, who), h("td.number", {}, counted(value.scored)),
        h("td", {}, documentNames(summary, value.missing)), h("td", {}, documentNames(summary, value.extra))))),
    empty.length > 0 && h("p.soft.data-note", {}, "Documents without entities in the key: ",
      documentNames(summary, empty.map((each) => each.name))),
  ];
}

/** Names of documents, as links if they are in the report. @param {import("../types.js").Summary} summary @param {string[]} names */
function documentNames(summary, names) {
  if (!names.length) return h("span.soft", {}, "none");
  const one = (/** @type {string} */ name) => {
    const number = summary.documents.findIndex((each) => each.name === name);
    return number < 0 ? h("span", { title: name }, documentName(name))
      : h("a", { title: name, ...documentLink(number) }, documentName(name));
  };
  if (names.length === 1) return one(names[0]);
  return h("details", {}, h("summary", {}, h("b", {}, counted(names.length))),
    names.slice(0, MOST_NAMES).map((name) => h("div", {}, one(name))),
    names.length > MOST_NAMES && h("div.soft", {}, `and ${counted(names.length - MOST_NAMES)} more`));
}

/** @param {import("../types.js").Summary} summary */
export function findingsCard(summary) {
  if (!summary.findings.length) {
    const none = "There are no warnings about these files.";
    return card("findings", "Findings", h("p.soft.data-note", {}, none));
  }
  /** @type {Map<string, import("../types.js").ReportFinding[]>} */
  const byCode = new Map();
  for (const finding of summary.findings) {
    const found = byCode.get(finding.code);
    if (found) found.push(finding);
    else byCode.set(finding.code, [finding]);
  }
  const codes = [...byCode].sort(([one], [other]) => (one < other ? -1 : 1));
  return card("findings", `Findings: ${counted(summary.findings.length)}`,
    table("findings", ["Code", "Severity", ["Count"], "Meaning and messages"], codes.map(([code, found]) =>
      h("tr", { dataset: { code } },
        h("td.mono", {}, code), h("td", {}, severityMark(found[0].severity)),
        h("td.number", {}, counted(found.length)),
        h("td", {}, h("div.soft", {}, `${found[0].title}.`), findingGroup(found))))));
}

/** @param {string} severity */
function severityMark(severity) {
  return severity === "error" ? h("b.data-error", {}, "✗ error") : h("span.data-severity", {}, `! ${severity}`);
}

/** @param {import("../types.js").ReportFinding[]} found */
function findingGroup(found) {
  const line = (/** @type {import("../types.js").ReportFinding} */ each) => h("div", {}, each.message,
    h("span.mono.soft", {}, ` ${each.file ?? ""}${each.line === null ? "" : `:${each.line}`}`));
  if (found.length === 1) return line(found[0]);
  return h("details", {}, h("summary", {}, found[0].message),
    found.slice(0, MOST_FINDINGS).map(line),
    found.length > MOST_FINDINGS
      && h("p.soft", {}, `The first ${MOST_FINDINGS} of ${counted(found.length)}.`));
}

/** Where heads, types and names come from. @param {import("../types.js").Summary} summary */
export function sourcesCard(summary) {
  const systems = bySystem(summary, summary.errors.systems, (each) => each.sources);
  return card("sources", "Heads, types and names",
    h("p.soft.data-note", {},
      "The annotation layers that they come from. Counts of errors are comparable only if these are the same."),
    table("heads, types and names",
      ["System", "Heads", "Mention types", "Named entities", "Taken from the response"],
      systems.map(({ who, value }) => h("tr", {}, h("td", {}, who),
        h("td", {}, sourceText(value.heads)), h("td", {}, sourceText(value.types)),
        h("td", {}, value.names ? `in ${numbered(value.names, "document")}` : "in no document"),
        h("td", {}, layers(value.from_response).join(", ") || h("span.soft", {}, "nothing"))))));
}

/** "from parse trees (8 documents), from words (2 documents)". @param {Record<string, number>} counts */
function sourceText(counts) {
  return layers(counts).map((each) => `from ${each}`).join(", ");
}

/** @param {Record<string, number>} counts @returns {string[]} */
function layers(counts) {
  return Object.entries(counts).map(([layer, count]) =>
    `${SOURCES[layer] ?? layer} (${numbered(count, "document")})`);
}
