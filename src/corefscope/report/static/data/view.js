/** Data: what the report was made from, how, and how to make it again. */
import { h, fill, keepFocus } from "../shared/dom.js";
import { state } from "../shared/state.js";
import { dataDocumentLink } from "./parts.js";
import { dataConfiguration, dataMaking } from "./making.js";
import { dataFiles, dataFindings, dataSources } from "./files.js";
import { dataDocuments } from "./documents.js";

/**
 * Draw the view, and leave the reader where they were.
 * @param {HTMLElement} root
 * @param {import("../shared/facets.js").Context} context
 */
export function renderData(root, { summary }) {
  const drawn = JSON.stringify(state().options);
  if (/** @type {HTMLElement | null} */ (root.firstElementChild)?.dataset.data === drawn) return dataKeepLinks(root);
  const { scrollTop } = root;
  keepFocus(() => fill(root, h("div.data", { dataset: { data: drawn } },
    dataMaking(summary), dataFiles(summary), dataFindings(summary), dataSources(summary), dataConfiguration(summary),
    dataDocuments(summary))));
  root.scrollTop = scrollTop;
}

/** Another system or filter changes nothing here but where links lead. @param {HTMLElement} root */
function dataKeepLinks(root) {
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (root.querySelectorAll("a[data-document]"))) {
    link.href = dataDocumentLink(Number(link.dataset.document)).href;
  }
}
