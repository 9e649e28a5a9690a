/** Charts as SVG files that look the same outside the page. */
import { svg } from "../shared/dom.js";

/** Style properties that are copied into the file, which has no style sheet. */
const SAVED_LOOKS = [
  "fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linejoin", "paint-order",
];
const SAVED_TYPE = ["font-family", "font-size", "font-weight"];

/** The SVG of a chart, including its style. @param {SVGElement} drawing */
export function chartFile(drawing) {
  const copy = /** @type {SVGElement} */ (drawing.cloneNode(true));
  const originals = drawing.querySelectorAll("*");
  copy.querySelectorAll("*").forEach((element, number) => look(originals[number], element));
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.removeAttribute("class");
  const paper = getComputedStyle(document.body).backgroundColor;
  copy.prepend(
    svg("title", {}, drawing.getAttribute("aria-label") ?? ""),
    svg("rect", { width: "100%", height: "100%", fill: paper }));
  return `${new XMLSerializer().serializeToString(copy)}\n`;
}

/** Write the computed style of an element into its copy. @param {Element} original @param {Element} copy */
function look(original, copy) {
  const style = getComputedStyle(original);
  const names = original.localName === "text" ? [...SAVED_LOOKS, ...SAVED_TYPE] : SAVED_LOOKS;
  for (const name of names) copy.setAttribute(name, style.getPropertyValue(name));
  // Texts may contain two consecutive spaces.
  if (original.localName === "text") copy.setAttribute("xml:space", "preserve");
  copy.removeAttribute("class");
}
