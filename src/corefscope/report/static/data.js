/** Data: what the report was made from, how, and how to make it again. */
import { h, fill, percent } from "./dom.js";
import { go } from "./state.js";

const DATA_MOST_DOCUMENTS = 500;
const DATA_MOST_FINDINGS = 200;

/** How the documents are sorted: a column and a direction; it matters for no link. */
let dataOrder = { column: "number", isDown: false };
let dataAllDocuments = false;

/**
 * @param {HTMLElement} root
 * @param {{summary: any, errors: any}} context
 */
export async function renderData(root, { summary }) {
  const focused = document.activeElement?.id;
  const scrolled = root.scrollTop;
  fill(root, h("div.data", {},
    dataAgain(summary), dataFiles(summary), dataFindings(summary), dataSources(summary), dataDocuments(root, summary)));
  root.scrollTop = scrolled;
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

/** @param {string} id @param {string} title @param {...any} children */
function dataCard(id, title, ...children) {
  return h("section.card", { "aria-labelledby": `data-${id}-title` }, h("h2", { id: `data-${id}-title` }, title), children);
}

/** What makes a table that is too wide scroll by keys, where nothing in it takes the focus. @param {string} title */
function dataScroll(title) {
  return { tabindex: "0", role: "region", "aria-label": `Table: ${title}` };
}

/* ---- how to make it again ---- */

/** @param {any} summary */
function dataAgain(summary) {
  return dataCard("again", "How this was made",
    dataCopied("command", "Make this report again", summary.command),
    dataCopied("signature", "Signature of the scores", summary.signature),
    summary.comparison && dataCopied("comparison", "Signature of the comparison", summary.comparison.signature),
    h("p.soft.systems-note", {}, `corefscope ${summary.corefscope}. The same files and the same command give the same page, byte by byte.`));
}

/** A line that is there to be copied. @param {string} id @param {string} title @param {string} text */
function dataCopied(id, title, text) {
  const code = h("code.mono.data-code", { id: `data-${id}` }, text);
  const button = h("button.data-copy", {
    id: `data-copy-${id}`, "aria-label": `Copy: ${title}`, onclick: () => dataCopy(code, button, title),
  }, "Copy");
  return h("div.data-copied", {}, h("h3", {}, title), h("div.data-line", {}, code, button));
}

/** Copy a text; where the browser refuses, select it. @param {HTMLElement} code @param {HTMLElement} button @param {string} title */
async function dataCopy(code, button, title) {
  // The name changes with the text: it is what a reader of the screen hears of the button in focus.
  const say = (/** @type {string} */ text) => {
    button.textContent = text;
    button.setAttribute("aria-label", `${text}: ${title}`);
  };
  try {
    await navigator.clipboard.writeText(code.textContent ?? "");
    say("Copied");
  } catch {
    getSelection()?.selectAllChildren(code);
    say("Selected");
  }
  setTimeout(() => say("Copy"), 2000);
}

/* ---- files ---- */

/** @param {any} summary */
function dataFiles(summary) {
  const letter = new Map(summary.systems.map((/** @type {any} */ each) => [each.name, each.letter]));
  return dataCard("files", "Files", h("div.systems-scroll", dataScroll("Files"), h("table.data-table", {},
    dataHead("Role", "Name", "Path", ["Bytes"], "SHA-256"),
    h("tbody", {}, summary.files.map((/** @type {any} */ file) => h("tr", {},
      h("td", {}, file.role),
      h("td", {}, file.role === "response" && h("b", {}, `${letter.get(file.name) ?? ""} `), file.name),
      h("td.mono", {}, file.path),
      h("td.number", {}, file.bytes === null ? h("span.soft", {}, "not one file") : file.bytes.toLocaleString("en")),
      h("td.mono.soft.data-digest", {}, file.sha256 ?? "–")))))));
}

/** A head of columns; one in brackets holds numbers. @param {...(string | [string])} titles */
function dataHead(...titles) {
  return h("thead", {}, h("tr", {}, titles.map((title) => Array.isArray(title)
    ? h("th.number", { scope: "col" }, title[0]) : h("th", { scope: "col" }, title))));
}

/* ---- findings ---- */

/** @param {any} summary */
function dataFindings(summary) {
  if (!summary.findings.length) {
    return dataCard("findings", "Findings", h("p.soft.systems-note", {}, "None: nothing in these files gave reason to warn."));
  }
  /** @type {Map<string, any[]>} */
  const byCode = new Map();
  for (const finding of summary.findings) {
    byCode.set(finding.code, [...(byCode.get(finding.code) ?? []), finding]);
  }
  const codes = [...byCode].sort(([one], [other]) => (one < other ? -1 : 1));
  return dataCard("findings", `Findings: ${summary.findings.length.toLocaleString("en")}`,
    h("div.systems-scroll", dataScroll("Findings"), h("table.data-table", {},
      dataHead("Code", "Severity", ["Count"], "What was found"),
      h("tbody", {}, codes.map(([code, found]) => h("tr", { dataset: { code } },
        h("td.mono", {}, code), h("td", {}, dataSeverity(found[0].severity)),
        h("td.number", {}, found.length.toLocaleString("en")), h("td", {}, dataFound(found))))))));
}

/** @param {string} severity */
function dataSeverity(severity) {
  return h(severity === "error" ? "b.systems-worse" : "span", {}, severity === "error" ? "✗ error" : `! ${severity}`);
}

/** @param {any[]} found */
function dataFound(found) {
  const line = (/** @type {any} */ each) => h("div", {}, each.message,
    h("span.mono.soft", {}, ` ${each.file ?? ""}${each.line === null || each.line === undefined ? "" : `:${each.line}`}`));
  if (found.length === 1) return line(found[0]);
  return h("details", {}, h("summary", {}, found[0].message),
    found.slice(0, DATA_MOST_FINDINGS).map(line),
    found.length > DATA_MOST_FINDINGS && h("p.soft", {}, `The first ${DATA_MOST_FINDINGS} of ${found.length}.`));
}

/* ---- where heads and types come from ---- */

/** @param {any} summary */
function dataSources(summary) {
  const systems = summary.errors.systems.filter((/** @type {any} */ each) => each.sources);
  if (!systems.length) return null;
  return dataCard("sources", "Heads, types and names",
    h("p.soft.systems-note", {}, "What they were found by, in how many documents. Error types by words depend on this."),
    h("div.systems-scroll", dataScroll("Heads, types and names"), h("table.data-table", {},
      dataHead("System", "Heads by", "Mention types by", "With names", "Taken from the response"),
      h("tbody", {}, systems.map((/** @type {any} */ each) => h("tr", {},
        h("td", {}, each.name),
        h("td", {}, dataCounts(each.sources.heads)),
        h("td", {}, dataCounts(each.sources.types)),
        h("td", {}, dataCounts(each.sources.names)),
        h("td", {}, dataCounts(each.sources.from_response))))))));
}

/** "parse: 8, last word: 2". @param {any} counts */
function dataCounts(counts) {
  if (counts === null || counts === undefined) return "–";
  if (typeof counts !== "object") return String(counts);
  return Object.entries(counts).map(([name, count]) => `${name}: ${count}`).join(", ") || "–";
}

/* ---- documents ---- */

/** @param {HTMLElement} root @param {any} summary */
function dataDocuments(root, summary) {
  const columns = dataColumns(summary);
  const order = columns.find((each) => each.id === dataOrder.column) ?? columns[0];
  const sorted = summary.documents.map((/** @type {any} */ document, /** @type {number} */ number) => ({ document, number }))
    .sort((/** @type {any} */ one, /** @type {any} */ other) => {
      const [left, right] = [order.value(one), order.value(other)];
      const before = left < right ? -1 : left > right ? 1 : 0;
      return (dataOrder.isDown ? -before : before) || one.number - other.number;
    });
  const shown = dataAllDocuments ? sorted : sorted.slice(0, DATA_MOST_DOCUMENTS);
  const again = () => renderData(root, /** @type {any} */ ({ summary }));
  return dataCard("documents", `Documents: ${summary.documents.length.toLocaleString("en")}`,
    h("p.soft.systems-note", {}, "Mentions and entities are those of the key; CoNLL in percent by system. A name opens the document."),
    h("div.systems-scroll", {}, h("table.data-table.data-documents", {},
      h("thead", {}, h("tr", {}, columns.map((column) => dataSorter(column, again)))),
      h("tbody", {}, shown.map((/** @type {any} */ each) => h("tr", {}, columns.map((column) => column.cell(each))))),
      h("tfoot", {}, h("tr", {}, h("th", { scope: "row", colspan: "2" }, "All"),
        ["tokens", "mentions", "entities"].map((name) => h("td.number", {}, dataSum(summary, name).toLocaleString("en"))),
        summary.comparison.systems.map((/** @type {any} */ each) => h("td.number", {}, percent(each.scores.conll?.value))))))),
    shown.length < sorted.length && h("button.systems-more", {
      id: "data-all-documents",
      onclick: () => {
        dataAllDocuments = true;
        again();
      },
    }, `Show all ${sorted.length.toLocaleString("en")}`));
}

/** @param {any} summary @param {string} name */
function dataSum(summary, name) {
  return summary.documents.reduce((/** @type {number} */ sum, /** @type {any} */ each) => sum + each[name], 0);
}

/** @param {any} summary @returns {Array<{id: string, title: any, isNumber: boolean, value: (each: any) => any, cell: (each: any) => HTMLElement}>} */
function dataColumns(summary) {
  const count = (/** @type {string} */ id, /** @type {string} */ title) => ({
    id, title, isNumber: true, value: (/** @type {any} */ each) => each.document[id],
    cell: (/** @type {any} */ each) => h("td.number", {}, each.document[id].toLocaleString("en")),
  });
  return [
    {
      id: "number", title: "No.", isNumber: true, value: (each) => each.number,
      cell: (each) => h("td.number.soft", {}, each.number + 1),
    },
    {
      id: "name", title: "Document", isNumber: false, value: (each) => each.document.name,
      cell: (each) => h("td", {}, h("button.link", {
        id: `data-document-${each.number}`,
        onclick: () => go({ tab: "document", document: each.number, error: null, entity: null }),
      }, each.document.name)),
    },
    count("tokens", "Tokens"), count("mentions", "Mentions"), count("entities", "Entities"),
    ...summary.systems.map((/** @type {any} */ system, /** @type {number} */ place) => ({
      id: `conll-${place}`, title: `${system.letter} ${system.name}`, isNumber: true,
      value: (/** @type {any} */ each) => each.document.conll[place],
      cell: (/** @type {any} */ each) => h("td.number", {}, percent(each.document.conll[place])),
    })),
  ];
}

/** The head of a column, a button that sorts by it. @param {any} column @param {() => void} again */
function dataSorter(column, again) {
  const isChosen = dataOrder.column === column.id;
  const direction = dataOrder.isDown ? "descending" : "ascending";
  return h(column.isNumber ? "th.number" : "th", { scope: "col", "aria-sort": isChosen ? direction : null },
    h("button.data-sort", {
      id: `data-sort-${column.id}`,
      onclick: () => {
        dataOrder = { column: column.id, isDown: isChosen ? !dataOrder.isDown : column.isNumber && column.id !== "number" };
        again();
      },
    }, column.title, h("span.data-arrow", { "aria-hidden": "true" }, isChosen ? (dataOrder.isDown ? "▼" : "▲") : "")));
}
