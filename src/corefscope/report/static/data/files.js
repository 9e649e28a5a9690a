/** What the report was made from: files, documents that lack, findings, and where heads and types come from. */
import { h, counted, documentName, numbered } from "../shared/dom.js";
import { dataBySystem, dataCard, dataDocumentLink, dataSystem, dataTable } from "./parts.js";

const DATA_MOST_FINDINGS = 200;
const DATA_MOST_NAMES = 200;
/** What heads and types are found by. @type {Record<string, string>} */
const DATA_SOURCES = {
  parse: "parse trees", tags: "part-of-speech tags", words: "words", names: "named entities",
  nothing: "nothing, since there are no words",
};

/** @param {any} summary */
export function dataFiles(summary) {
  return dataCard("files", "Files", dataTable("files", ["Role", "Name", "Path and SHA-256", ["Bytes"]],
    summary.files.map((/** @type {any} */ file) => h("tr", {},
      h("td", {}, file.role),
      h("td", {}, file.role === "response" ? dataSystem(summary, file.name) : file.name),
      h("td.mono", {}, file.path ?? h("span.soft", {}, "not a file"), file.sha256 && h("div.soft", {}, file.sha256)),
      h("td.number", {}, file.bytes === null ? h("span.soft", {}, "–") : counted(file.bytes))))),
    dataCoverage(summary));
}

/** Which documents were scored, which a response lacks or has beyond the key. @param {any} summary */
function dataCoverage(summary) {
  const empty = summary.documents.filter((/** @type {any} */ each) => !each.entities);
  const systems = dataBySystem(summary, summary.scores.systems, (each) => each.documents);
  return [
    h("h3", {}, "Coverage"),
    dataTable("coverage", ["System", ["Documents scored"], "Missing, counted as empty", "Not in the key, ignored"],
      systems.map(({ who, value }) => h("tr", {}, h("td", {}, who), h("td.number", {}, counted(value.scored)),
        h("td", {}, dataNames(summary, value.missing)), h("td", {}, dataNames(summary, value.extra))))),
    empty.length > 0 && h("p.soft.data-note", {}, "Without an entity in the key: ",
      dataNames(summary, empty.map((/** @type {any} */ each) => each.name))),
  ];
}

/** Names of documents; those of the report are links. @param {any} summary @param {string[]} names */
function dataNames(summary, names) {
  if (!names.length) return h("span.soft", {}, "none");
  const one = (/** @type {string} */ name) => {
    const number = summary.documents.findIndex((/** @type {any} */ each) => each.name === name);
    return number < 0 ? h("span", { title: name }, documentName(name))
      : h("a", { title: name, ...dataDocumentLink(number) }, documentName(name));
  };
  if (names.length === 1) return one(names[0]);
  return h("details", {}, h("summary", {}, h("b", {}, counted(names.length))),
    names.slice(0, DATA_MOST_NAMES).map((name) => h("div", {}, one(name))),
    names.length > DATA_MOST_NAMES && h("div.soft", {}, `and ${counted(names.length - DATA_MOST_NAMES)} more`));
}

/** @param {any} summary */
export function dataFindings(summary) {
  if (!summary.findings.length) {
    const none = "None: nothing in these files gave reason to warn.";
    return dataCard("findings", "Findings", h("p.soft.data-note", {}, none));
  }
  /** @type {Map<string, any[]>} */
  const byCode = new Map();
  for (const finding of summary.findings) {
    const found = byCode.get(finding.code);
    if (found) found.push(finding);
    else byCode.set(finding.code, [finding]);
  }
  const codes = [...byCode].sort(([one], [other]) => (one < other ? -1 : 1));
  return dataCard("findings", `Findings: ${counted(summary.findings.length)}`,
    dataTable("findings", ["Code", "Severity", ["Count"], "What it means, and what was found"], codes.map(([code, found]) =>
      h("tr", { dataset: { code } },
        h("td.mono", {}, code), h("td", {}, dataSeverity(found[0].severity)),
        h("td.number", {}, counted(found.length)),
        h("td", {}, h("div.soft", {}, `${found[0].title}.`), dataFound(found))))));
}

/** @param {string} severity */
function dataSeverity(severity) {
  return severity === "error" ? h("b.data-error", {}, "✗ error") : h("span.data-severity", {}, `! ${severity}`);
}

/** @param {any[]} found */
function dataFound(found) {
  const line = (/** @type {any} */ each) => h("div", {}, each.message,
    h("span.mono.soft", {}, ` ${each.file ?? ""}${each.line === null ? "" : `:${each.line}`}`));
  if (found.length === 1) return line(found[0]);
  return h("details", {}, h("summary", {}, found[0].message),
    found.slice(0, DATA_MOST_FINDINGS).map(line),
    found.length > DATA_MOST_FINDINGS
      && h("p.soft", {}, `The first ${DATA_MOST_FINDINGS} of ${counted(found.length)}.`));
}

/** Where heads, types and names come from. @param {any} summary */
export function dataSources(summary) {
  const systems = dataBySystem(summary, summary.errors.systems, (each) => each.sources);
  return dataCard("sources", "Heads, types and names",
    h("p.soft.data-note", {},
      "By which layers of the text they were found. Counts of errors compare only where these are the same."),
    dataTable("heads, types and names",
      ["System", "Heads", "Types of mentions", "Named entities", "Taken from the response"],
      systems.map(({ who, value }) => h("tr", {}, h("td", {}, who),
        h("td", {}, dataBy(value.heads)), h("td", {}, dataBy(value.types)),
        h("td", {}, value.names ? `in ${numbered(value.names, "document")}` : "in no document"),
        h("td", {}, dataLayers(value.from_response).join(", ") || h("span.soft", {}, "nothing"))))));
}

/** "by parse trees (8 documents), by words (2 documents)". @param {Record<string, number>} counts */
function dataBy(counts) {
  return dataLayers(counts).map((each) => `by ${each}`).join(", ");
}

/** @param {Record<string, number>} counts @returns {string[]} */
function dataLayers(counts) {
  return Object.entries(counts).map(([layer, count]) =>
    `${DATA_SOURCES[layer] ?? layer} (${numbered(count, "document")})`);
}
