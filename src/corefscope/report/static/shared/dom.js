/** Functions that create elements; all contents are inserted as text, never as HTML. */

/**
 * Characters that are escaped: control characters, controls of the writing direction, and lone surrogates, which
 * stand for bytes that are not UTF-8. The same as in the terminal (escaping.py).
 */
const OBEYED = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\p{Surrogate}]/gu;
/** Attributes that are shown or read aloud. */
const READ_ATTRIBUTES = ["title", "aria-label", "aria-valuetext", "placeholder"];

/** A text with control characters escaped; names and words may contain anything. @param {string} text */
export function visible(text) {
  return text.replace(OBEYED, (one) => {
    const code = one.charCodeAt(0), digits = code.toString(16);
    return code < 256 ? `\\x${digits.padStart(2, "0")}` : `\\u${digits.padStart(4, "0")}`;
  });
}

/**
 * @typedef {Node | string | number | null | undefined | false | Child[]} Child what an element may contain
 * @typedef {Event & {target: HTMLInputElement, currentTarget: HTMLElement}} Changed an event of an input, a select or a button
 */

/**
 * Make an element.
 * @param {string} tag the name of the element, with classes: "div.card.wide"
 * @param {Record<string, unknown>} [properties] attributes; onclick and other handlers; dataset; style
 * @param {...Child} children
 * @returns {HTMLElement}
 */
export function h(tag, properties = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name);
  if (classes.length) element.className = classes.join(" ");
  setProperties(element, properties);
  append(element, children);
  return element;
}

/**
 * Make an SVG element.
 * @param {string} tag
 * @param {Record<string, unknown>} [properties]
 * @param {...Child} children
 * @returns {SVGElement}
 */
export function svg(tag, properties = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  if (classes.length) element.setAttribute("class", classes.join(" "));
  setProperties(element, properties);
  append(element, children);
  return element;
}

/** @param {HTMLElement | SVGElement} element @param {Record<string, unknown>} properties */
function setProperties(element, properties) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else if (name === "dataset") Object.assign(element.dataset, value);
    else if (name === "style") {
      // Set one by one, because the content security policy forbids style attributes.
      for (const [key, part] of Object.entries(value)) element.style.setProperty(key, String(part));
    } else {
      const text = value === true ? "" : String(value);
      element.setAttribute(name, READ_ATTRIBUTES.includes(name) ? visible(text) : text);
    }
  }
}

/** @param {Element} element @param {Child[]} children */
function append(element, children) {
  for (const child of /** @type {unknown[]} */ (children).flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : visible(String(child)));
  }
}

/** Replace the contents of an element. @param {Element} element @param {...Child} children */
export function fill(element, ...children) {
  element.replaceChildren();
  append(element, children);
}

/**
 * A number with this many digits, rounded half to even as in Python.
 * @param {number} value @param {number} digits
 */
export function fixed(value, digits) {
  const power = 10 ** digits;
  const [eighths, low] = [value * 2 ** (digits + 1), Math.floor(value * power)];
  // Only numbers with this many binary places can be exactly halfway.
  const isBetween = Number.isInteger(eighths) && eighths % 2 !== 0 && value * power - low === 0.5;
  return isBetween ? ((low % 2 ? low + 1 : low) / power).toFixed(digits) : value.toFixed(digits);
}

/** A fraction as a percentage with two digits. @param {number | null | undefined} value */
export function percent(value) {
  return value === null || value === undefined ? "" : fixed(100 * value, 2);
}

/** A difference in points with its sign. @param {number | null | undefined} value */
export function points(value) {
  if (value === null || value === undefined) return "";
  const text = fixed(100 * value, 2);
  return Number(text) > 0 ? `+${text}` : Number(text) === 0 ? "+0.00" : text.replace("-", "−");
}

const NUMBERS = new Intl.NumberFormat("en");

/** A number with commas. @param {number} value */
export function counted(value) {
  return NUMBERS.format(value);
}

/** "1 mention", "2 mentions". @param {number} count @param {string} one @param {string} [many] */
export function numbered(count, one, many = `${one}s`) {
  return `${counted(count)} ${count === 1 ? one : many}`;
}

/** The label of an error type: "divided_entity" is "Divided Entity". @param {string} type */
export function label(type) {
  return type.replace(/_/g, " ").replace(/\b\w/g, (letter) => letter.toUpperCase());
}

/** The name of a document without the "(…); part" of CoNLL. @param {string} name */
export function documentName(name) {
  // What follows @ is a window of the document.
  const found = /^\((.*)\); part (\d+)(@.*)?$/.exec(name);
  return found ? found[1] + (Number(found[2]) ? ` part ${Number(found[2])}` : "") + (found[3] ?? "") : name;
}

/** A mark for each error type, so that colour is not the only sign. @type {Record<string, string>} */
const TYPE_MARKS = {
  span_error: "↔", conflated_entities: "⊕", divided_entity: "÷", extra_mention: "×", extra_entity: "⊠",
  missing_mention: "○", missing_entity: "◎",
};

/** @param {string} type */
export function typeMark(type) {
  return TYPE_MARKS[type] ?? "•";
}

/** The printed names of metrics. @type {Record<string, string>} */
const METRIC_NAMES = {
  mentions: "Mentions", muc: "MUC", b3: "B³", ceafm: "CEAFm", ceafe: "CEAFe", blanc: "BLANC", lea: "LEA", conll: "CoNLL",
};

/** @param {string} id */
export function metricName(id) {
  return METRIC_NAMES[id] ?? id;
}

/**
 * Draw, and return the focus to the element with the same id.
 * @param {() => void} draw
 */
export function keepFocus(draw) {
  const id = document.activeElement?.id;
  draw();
  if (id && document.activeElement?.id !== id) document.getElementById(id)?.focus({ preventScroll: true });
}

/**
 * A scrolling region for a table that may be too wide; arrow keys scroll it as well.
 * @param {string} label @param {HTMLElement} table @param {string} [look] another class, with its dot
 */
export function scrolls(label, table, look = "") {
  return h(`div.scrolls${look}`, { tabindex: "0", role: "region", "aria-label": label }, table);
}

/**
 * @typedef {object} SortHeading
 * @property {string} id of the button
 * @property {Child} title
 * @property {string | null} [hint]
 * @property {string | null} [name] for screen readers, if the title is a symbol
 * @property {string} column
 * @property {string} sort the current order of the table: "size.desc", or "" if it is not sorted
 * @property {"asc" | "desc"} first the order of the first click: largest counts, alphabetical texts, worst scores
 * @property {(sort: string) => void} onsort receives the new order
 */

/**
 * The button in the heading of a column, and its aria-sort. The first click sorts in the order `first`, the second
 * in the reverse order, and the third not at all.
 * @param {SortHeading} heading
 * @returns {{button: HTMLElement, order: "none" | "ascending" | "descending"}}
 */
export function sortHeading({ id, title, hint = null, name = null, column, sort, first, onsort }) {
  const ways = [`${column}.${first}`, `${column}.${first === "asc" ? "desc" : "asc"}`];
  const next = [...ways, ""][ways.indexOf(sort) + 1];
  const order = !ways.includes(sort) ? "none" : sort.endsWith(".desc") ? "descending" : "ascending";
  const arrow = { none: "", ascending: "▲", descending: "▼" }[order];
  const button = h("button.sort", { id, title: hint, "aria-label": name, onclick: () => onsort(next) },
    title, h("span.sort-arrow", { "aria-hidden": "true" }, arrow));
  return { button, order };
}

/**
 * Remove invisible rows from a long list, and insert new ones in order. Rows that stay are not touched, so that an
 * element that is pressed while the list scrolls is still there when the pointer is released.
 * @param {Element} list @param {Map<number, HTMLElement>} before @param {Map<number, HTMLElement>} now
 */
export function replaceRows(list, before, now) {
  if (![...before.keys()].some((place) => now.has(place))) return list.replaceChildren(...now.values());
  for (const [place, element] of before) if (!now.has(place)) element.remove();
  const kept = list.firstElementChild;
  const first = [...now.values()].indexOf(/** @type {HTMLElement} */ (kept));
  [...now.values()].forEach((element, at) => {
    if (element.parentNode) return;
    if (at < first) list.insertBefore(element, kept);
    else list.append(element);
  });
}

/**
 * Save a text as a file.
 * @param {string} name
 * @param {string} text
 * @param {string} type of media
 */
export function saveAs(name, text, type) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  h("a", { href: url, download: name }).click();
  // The download has started by then, so the text can be released.
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

/** Rows of cells as CSV. @param {unknown[][]} rows */
export function asCsv(rows) {
  const quote = (/** @type {unknown} */ value) => {
    const text = String(value ?? "");
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((row) => `${row.map(quote).join(",")}\r\n`).join("");
}

/** Copy a text to the clipboard; return whether the browser allowed it. @param {string} text */
export async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** Copy the text of an element, or select it if the browser forbids copying. @param {HTMLElement} shown */
export async function copyOrSelect(shown) {
  if (await copied(shown.textContent ?? "")) return announce("Copied.");
  getSelection()?.selectAllChildren(shown);
  announce("Selected: press Ctrl+C.");
}

let announced = 0;

/** Show a status message for a few seconds. @param {string} text */
export function announce(text) {
  const status = document.getElementById("status");
  if (!status) return;
  status.textContent = visible(text);
  // Cancel the timer of the previous message.
  clearTimeout(announced);
  announced = setTimeout(() => { status.textContent = ""; }, 5000);
}
