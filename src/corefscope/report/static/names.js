/** Names: named entity coreference by entity type, as Agarwal et al. (2019) lay it out. */
import { h, fill, percent } from "./dom.js";
import { state } from "./state.js";

const NAMES_MENTIONS = ["name", "pronoun", "nominal"];
/** @type {Record<string, string>} */
const NAMES_TYPES = { PER: "persons", ORG: "organisations", GPE: "places", ALL: "all names" };

/** @param {string} type */
function namesType(type) {
  return NAMES_TYPES[type] ?? type;
}

/** A percentage, or a dash where there is nothing to measure. @param {number | null | undefined} value */
function namesPercent(value) {
  return percent(value) || "–";
}

/** The types that some system has, all together last. @param {any} nec @returns {string[]} */
function namesTypesOf(nec) {
  const types = new Set(nec.systems.flatMap((/** @type {any} */ system) => Object.keys(system.types)));
  types.delete("ALL");
  return [...types, "ALL"].filter((type) => nec.systems.some((/** @type {any} */ each) => each.types[type]));
}

/** The types that have chains. @param {any} system @returns {Array<[string, any]>} */
function namesMeasured(system) {
  return Object.entries(system.types).filter(([type, score]) => type !== "ALL" && score.chains > 0);
}

/** Say what the tables show of a system. @param {any} system */
function namesStory(system) {
  const all = system.types.ALL;
  if (!all || !all.chains) return [`${system.name}: the key has no chain with a name of these types.`];
  const lost = Math.round(all.not_found * all.chains);
  const said = [
    h("b", {}, system.name),
    ` does not find ${lost} of ${all.chains} entities that have a name. Over all of them its NEC F1 is ${namesPercent(all.f1)}, `,
    namesAgainst(all.f1, system.conll),
    ". ",
  ];
  const types = namesMeasured(system).sort(([, one], [, other]) => one.f1 - other.f1);
  if (types.length > 1) {
    said.push(
      `It does best with ${namesType(types[types.length - 1][0])} and worst with ${namesType(types[0][0])}. `,
    );
  }
  const worst = namesWorstMention(all);
  if (worst) said.push(`Of their mentions, ${worst}.`);
  return said;
}

/** @param {number} f1 @param {number | null} conll */
function namesAgainst(f1, conll) {
  if (conll === null || conll === undefined) return "with no CoNLL score beside it";
  const difference = 100 * (f1 - conll);
  const size = Math.abs(difference).toFixed(1);
  if (Number(size) === 0) return `as its CoNLL score of all chains (${namesPercent(conll)})`;
  return `${size} points ${difference < 0 ? "below" : "above"} its CoNLL score of all chains (${namesPercent(conll)})`;
}

/** @param {any} score */
function namesWorstMention(score) {
  const kinds = NAMES_MENTIONS.filter((kind) => score.by_mention_type[kind]?.f1 != null);
  if (kinds.length < 2) return "";
  const least = Math.min(...kinds.map((kind) => score.by_mention_type[kind].f1));
  const worst = kinds.filter((kind) => score.by_mention_type[kind].f1 === least);
  return worst.length === kinds.length
    ? ""
    : `${worst.map((kind) => `${kind}s`).join(" and ")} are the hardest (F1 ${namesPercent(least)})`;
}

/** A cell; the best of its column is bold and starred, so that weight is not alone. */
function namesCell(
  /** @type {number | null | undefined} */ value,
  /** @type {boolean} */ isBest,
  /** @type {string} */ title = "",
) {
  return h(
    isBest ? "td.number.names-best" : "td.number",
    { title: title || null },
    namesPercent(value),
    isBest && h("span.names-star", { role: "img", "aria-label": "best" }, "*"),
  );
}

/**
 * Whether a value is the best of the systems; no system is best where there is one, or all are equal.
 * @param {any} nec @param {(system: any) => number | null | undefined} value @param {any} system
 * @param {"high" | "low"} wanted
 */
function namesIsBest(nec, value, system, wanted) {
  const values = nec.systems
    .map(value)
    .filter((/** @type {any} */ each) => each !== null && each !== undefined);
  if (new Set(values).size < 2) return false;
  return value(system) === (wanted === "high" ? Math.max(...values) : Math.min(...values));
}

/**
 * @param {any} nec @param {number} active
 * @returns {Array<{system: any, heading: HTMLElement, properties: Record<string, any>}>}
 */
function namesRows(nec, active) {
  return nec.systems.map((/** @type {any} */ system, /** @type {number} */ place) => ({
    system,
    heading: h("th.names-system", { scope: "row" }, system.name),
    properties: {
      class: place === active ? "names-active" : null,
      "aria-current": place === active ? "true" : null,
    },
  }));
}

/** Groups of columns, one for each type. @param {any} nec @param {string[]} types @param {string[]} columns */
function namesHead(nec, types, columns) {
  const chains = (/** @type {string} */ type) =>
    nec.systems.find((/** @type {any} */ each) => each.types[type])?.types[type].chains ?? 0;
  return h(
    "thead",
    {},
    h(
      "tr",
      {},
      h("td"),
      types.map((type) =>
        h(
          "th.names-type",
          { scope: "colgroup", colspan: columns.length },
          type,
          h(
            "span.names-chains",
            {},
            ` ${namesType(type) === type ? "" : `${namesType(type)}, `}${chains(type)} chains`,
          ),
        ),
      ),
    ),
    h(
      "tr",
      {},
      h("th", { scope: "col" }, "System"),
      types.map(() =>
        columns.map((column, at) => h(at ? "th.number" : "th.number.names-first", { scope: "col" }, column)),
      ),
    ),
  );
}

/** Table 3: chains not found, NEC F1 and the CoNLL score. @param {any} nec @param {string[]} types @param {number} active */
function namesTable3(nec, types, active) {
  return h(
    "table.names-table",
    { "aria-label": "NEC by entity type" },
    namesHead(nec, types, ["Not found %", "NEC F1", "CoNLL"]),
    h(
      "tbody",
      {},
      namesRows(nec, active).map(({ system, heading, properties }) =>
        h(
          "tr",
          properties,
          heading,
          types.map((type) =>
            [
              ["not_found", "low"],
              ["f1", "high"],
              ["conll", "high"],
            ].map(([what, wanted]) =>
              namesCell(
                system.types[type]?.[what],
                namesIsBest(nec, (each) => each.types[type]?.[what], system, /** @type {any} */ (wanted)),
              ),
            ),
          ),
        ),
      ),
    ),
  );
}

/** Table 4: NEC F1 by type of mention. @param {any} nec @param {string[]} types @param {number} active */
function namesTable4(nec, types, active) {
  return h(
    "table.names-table",
    { "aria-label": "NEC F1 by type of mention" },
    namesHead(nec, types, ["Name", "Pronoun", "Nominal"]),
    h(
      "tbody",
      {},
      namesRows(nec, active).map(({ system, heading, properties }) =>
        h(
          "tr",
          properties,
          heading,
          types.map((type) =>
            NAMES_MENTIONS.map((kind) => {
              const value = (/** @type {any} */ each) => each.types[type]?.by_mention_type[kind]?.f1;
              const chains = system.types[type]?.by_mention_type[kind]?.chains ?? 0;
              return namesCell(
                value(system),
                namesIsBest(nec, value, system, "high"),
                `${chains} chains have a ${kind}`,
              );
            }),
          ),
        ),
      ),
    ),
  );
}

/** All that is known, a row for a system and a type. @param {any} nec @param {string[]} types @param {number} active */
function namesDetail(nec, types, active) {
  const columns = [
    "Chains",
    "Not found %",
    "F1 0 %",
    "NEC F1",
    "Recall",
    "Precision",
    "CoNLL",
    "Over-split",
    "Over-combined",
  ];
  return h(
    "table.names-table.names-detail",
    { "aria-label": "All figures" },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", { scope: "col" }, "System"),
        h("th", { scope: "col" }, "Type"),
        columns.map((column) => h("th.number", { scope: "col" }, column)),
      ),
    ),
    nec.systems.map((/** @type {any} */ system, /** @type {number} */ place) => {
      const own = types.filter((type) => system.types[type]);
      return h(
        "tbody",
        { class: place === active ? "names-active" : null },
        own.map((type, at) =>
          h(
            "tr",
            {},
            !at && h("th.names-system", { scope: "rowgroup", rowspan: own.length }, system.name),
            h("th.names-row", { scope: "row" }, type),
            namesFigures(system.types[type]),
          ),
        ),
      );
    }),
  );
}

/** @param {any} score */
function namesFigures(score) {
  const excess = (/** @type {any} */ part) =>
    h(
      "td.number",
      { title: `${part.excess} too many` },
      part.chains,
      h("span.soft", {}, ` (${namesPercent(part.rate)} %)`),
    );
  return [
    h("td.number", {}, score.chains),
    ...[score.not_found, score.zero_f1, score.f1, score.recall, score.precision, score.conll].map((value) =>
      h("td.number", {}, namesPercent(value)),
    ),
    excess(score.over_split),
    excess(score.over_combined),
  ];
}

/** @param {string} title @param {string} note @param {HTMLElement} table */
function namesSection(title, note, table) {
  return h(
    "section.names-section",
    {},
    h("h2", {}, title),
    h("p.soft", {}, note),
    h("div.names-scroll", { tabindex: "0", role: "region", "aria-label": title }, table),
  );
}

/** @param {HTMLElement} root @param {any} context */
export async function renderNames(root, { summary }) {
  const { nec } = summary;
  if (!nec || !nec.systems.length) {
    return fill(
      root,
      h(
        "div.names-none",
        {},
        h("h2", {}, "This corpus has no named entities"),
        h(
          "p",
          {},
          "Named entity coreference asks who of those that have a name is found, so the key needs a layer of " +
            "named entities: the column of a CoNLL file, or a file of their own.",
        ),
        h("p.mono", {}, "corefscope nec KEY RESPONSE --names FILE"),
      ),
    );
  }
  const types = namesTypesOf(nec);
  const name = summary.systems[state().system]?.name;
  const active = nec.systems.findIndex((/** @type {any} */ system) => system.name === name);
  const { scrollTop } = root;
  fill(
    root,
    h(
      "div.names",
      {},
      h(
        "section.names-stories",
        { "aria-label": "In words" },
        nec.systems.map((/** @type {any} */ system, /** @type {number} */ place) =>
          h(
            "p.names-story",
            { class: place === active ? "names-story names-active" : "names-story" },
            namesStory(system),
          ),
        ),
      ),
      namesSection(
        "By entity type",
        "Not found: share of key entities with a name that no response entity has. NEC F1: mean over " +
          "entities. CoNLL: MUC, B³ and CEAFe of the same chains. The star marks the best system.",
        namesTable3(nec, types, active),
      ),
      namesSection(
        "By type of mention",
        "NEC F1 of the names, pronouns and nominals of these entities: finding the name is not yet " +
          "finding the person.",
        namesTable4(nec, types, active),
      ),
      namesSection(
        "All figures",
        "F1 0: share of entities with nothing right. Over-split: key entities whose name is in several " +
          "response entities. Over-combined: response entities that have the names of several key entities.",
        namesDetail(nec, types, active),
      ),
      h(
        "p.soft.names-source",
        {},
        "Layout of Tables 3 and 4 of Agarwal, Subramanian, Nenkova and Roth (2019), ",
        h("cite", {}, "Evaluation of named entity coreference"),
        ".",
      ),
      h("p.mono.soft", {}, nec.systems[0].signature),
    ),
  );
  root.scrollTop = scrollTop;
}
