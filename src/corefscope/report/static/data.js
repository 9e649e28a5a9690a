/** Data: what the report was made from, how, and how to make it again. */
import { h, fill, keepFocus } from "./dom.js";
import { dataConfiguration, dataMaking } from "./data-making.js";
import { dataFiles, dataFindings, dataSources } from "./data-files.js";
import { dataDocuments } from "./data-documents.js";

/**
 * Draw the view, and leave the reader where they were.
 * @param {HTMLElement} root
 * @param {import("./facets.js").Context} context
 */
export function renderData(root, { summary }) {
  const { scrollTop } = root;
  keepFocus(() => fill(root, h("div.data", {},
    dataMaking(summary), dataFiles(summary), dataFindings(summary), dataSources(summary), dataConfiguration(summary),
    dataDocuments(summary))));
  root.scrollTop = scrollTop;
}
