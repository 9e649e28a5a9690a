/** Data: the inputs of the report, and how it was made. */
import { h, fill, keepFocus } from "../shared/dom.js";
import { state } from "../shared/state.js";
import { documentLink } from "./parts.js";
import { configurationCard, makingCard } from "./making.js";
import { filesCard, findingsCard, sourcesCard } from "./files.js";
import { documentsCard } from "./documents.js";

/**
 * Draw the view without moving the scroll position.
 * @param {HTMLElement} root
 * @param {import("../shared/facets.js").Context} context
 */
export function render(root, { summary }) {
  const drawn = JSON.stringify(state().options);
  if (/** @type {HTMLElement | null} */ (root.firstElementChild)?.dataset.data === drawn) return keepLinks(root);
  const { scrollTop } = root;
  keepFocus(() => fill(root, h("div.data", { dataset: { data: drawn } },
    makingCard(summary), filesCard(summary), findingsCard(summary), sourcesCard(summary), configurationCard(summary),
    documentsCard(summary))));
  root.scrollTop = scrollTop;
}

/** Update only the links, because nothing else depends on system or filters. @param {HTMLElement} root */
function keepLinks(root) {
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (root.querySelectorAll("a[data-document]"))) {
    link.href = documentLink(Number(link.dataset.document)).href;
  }
}
