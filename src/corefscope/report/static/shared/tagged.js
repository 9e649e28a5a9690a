/** What became of the tagged text of single documents. */
import { numbered } from "./dom.js";

/**
 * The ledger of a document; nothing unless the system is tagged text and has the document.
 * @param {import("../types.js").Summary} summary @param {number | null} system @param {string} name of the document
 */
export function ledgerOf(summary, system, name) {
  const documents = system === null ? null : summary.ledgers[system]?.documents;
  return documents && Object.hasOwn(documents, name) ? documents[name] : null;
}

/** The status of a document as text, if parts of it did not come back. @param {import("../types.js").LedgerRecord | null} ledger */
export function lossOf(ledger) {
  if (ledger?.status === "cut off") return `cut off: ${numbered(ledger.missing_tail, "word")} at the end did not come back`;
  if (ledger?.status !== "failed") return "";
  return `failed: the ${ledger.words.source ? "text did not come back" : "answer has no entities"}`;
}
