/** The data of the report: compressed chunks in the page or next to it, decompressed on demand. */

/** How many decompressed chunks are kept. */
const MOST_CHUNKS = 20;
/** The most recently used chunks, the latest at the end. @type {Map<string, Promise<unknown>>} */
const inflated = new Map();

/** Pending requests for documents next to the page. @type {Map<string, (data: string) => void>} */
const awaited = new Map();

/** The number of the first chunk of documents: each annotator in the place of the key has its own. */
let firstDocument = 0;

/**
 * The summary and the table of errors.
 * @param {string} reference the number of the annotator in the place of the key, if there are annotators
 * @returns {Promise<[import("../types.js").Summary, import("../types.js").ErrorColumns]>}
 */
export async function common(reference) {
  const end = inPage(`summary-${reference}`) ? `-${reference}` : "";
  const found = await Promise.all([chunk(`summary${end}`), chunk(`errors${end}`)]);
  const summary = /** @type {import("../types.js").Summary} */ (found[0]);
  firstDocument = (summary.reference ?? 0) * summary.documents.length;
  return [summary, /** @type {import("../types.js").ErrorColumns} */ (found[1])];
}

/**
 * Return the JSON of a chunk.
 * @param {string} id "summary", "errors" or "document-0"
 */
function chunk(id) {
  const found = inflated.get(id) ?? inflate(id);
  inflated.delete(id);
  inflated.set(id, found);
  // Do not keep failures: the next request may succeed.
  found.catch(() => inflated.delete(id));
  for (const oldest of [...inflated.keys()].slice(0, -MOST_CHUNKS)) inflated.delete(oldest);
  return found;
}

/** @param {string} id */
async function inflate(id) {
  const data = inPage(id) ?? await besidePage(id);
  const letters = atob(data);
  // Uint8Array.from with a function takes seconds for large data.
  const bytes = new Uint8Array(letters.length);
  for (let at = 0; at < letters.length; at++) bytes[at] = letters.charCodeAt(at);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

/** @param {string} id */
function inPage(id) {
  return document.getElementById(`chunk-${id}`)?.textContent;
}

/**
 * Load a document of a report that is a folder. This uses a script, because a page on disk may not fetch files.
 * @param {string} id
 * @returns {Promise<string>}
 */
function besidePage(id) {
  const folder = inPage("folder");
  const number = /^document-(\d+)$/.exec(id)?.[1];
  const file = number && inPage("files")?.split(" ")[Number(number)];
  if (!folder || !file) return Promise.reject(new Error(`the report has no ${id}`));
  return new Promise((resolve, reject) => {
    awaited.set(id, resolve);
    const script = document.createElement("script");
    const end = () => {
      script.remove();
      // If the file has delivered its data, the promise is settled and this does nothing.
      reject(new Error(`Cannot load ${folder}/${file}: is it next to the page?`));
    };
    script.onload = end;
    script.onerror = end;
    script.src = `${folder}/${file}`;
    document.head.append(script);
  }).finally(() => awaited.delete(id));
}

/** The function that files next to the page call. */
Object.assign(window, {
  corefscopeChunk: (/** @type {string} */ id, /** @type {string} */ data) => awaited.get(id)?.(data),
});

/** The document with a number. @param {number} number */
export async function documentOf(number) {
  return /** @type {import("../types.js").ReportText} */ (await chunk(`document-${firstDocument + number}`));
}
