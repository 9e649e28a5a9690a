/** Names: named entity coreference by entity type, and the entities that were not found. */
import { fill, fixed, h, keepFocus, numbered, scrolls } from "../shared/dom.js";
import { state } from "../shared/state.js";
import { linkTo } from "../shared/links.js";
import { namesLost } from "../shared/named-entities.js";
import {
  BY_TYPE, byMention, figures, percentOrDash, measuredSystems, figureTable, toList,
} from "./tables.js";
import { lists } from "./lists.js";

/** A summary of a system in two sentences. @param {import("./tables.js").NamesSystem} system */
function story(system) {
  const { measured } = system;
  const all = measured.types.ALL;
  const lost = namesLost(measured).length;
  return h("article.names-story", { "aria-current": system.isActive ? "true" : null },
    h("h3", {}, h("a", { id: `names-story-${system.number}`, ...linkTo(system.change) }, system.title),
      system.isActive && h("span.names-mark", {}, "active")),
    all?.chains ? h("p", {}, lost ? "Does not find " : "Finds all ",
      lost > 0 && [toList(system, "", "lost", lost, lost), " of "],
      `${numbered(all.chains, "named entity", "named entities")}. `,
      `NEC F1 ${percentOrDash(all.f1)}, ${against(all.f1, measured.conll)}.`)
      : h("p", {}, "The key has no named entity of these types."));
}

/** @param {number | null} f1 @param {number | null} conll */
function against(f1, conll) {
  if (f1 === null || conll === null) return "without a CoNLL score to compare";
  const size = fixed(Math.abs(100 * (f1 - conll)), 1);
  if (Number(size) === 0) return `equal to its CoNLL score of all entities (${percentOrDash(conll)})`;
  return `${size} points ${f1 < conll ? "below" : "above"} its CoNLL score of all entities (${percentOrDash(conll)})`;
}

/** @param {string} title @param {string} note @param {HTMLElement} table */
function section(title, note, table) {
  return h("section.names-section", {}, h("h2", {}, title), h("p.soft", {}, note),
    scrolls(title, table, ".names-scroll"));
}

function none() {
  return h("div.names-none", {},
    h("h2", {}, "This corpus has no named entities"),
    h("p", {}, "Named entity coreference measures which named entities are found, so it needs named-entity annotation: a " +
      "column of the CoNLL file, or a separate file."),
    h("p.mono", {}, "corefscope nec KEY RESPONSE --names FILE"));
}

/** @param {import("./tables.js").NamesSystem[]} systems */
function tables(systems) {
  return [
    section("By entity type",
      "Not found: share of key entities whose name is in no response entity. NEC F1: mean over entities. " +
        "CoNLL: CoNLL score of the same entities. A star marks the best system.",
      figureTable(systems, BY_TYPE, "NEC by entity type")),
    section("By mention type",
      "NEC F1 of the mentions of each type in these entities. Names are often found when pronouns are not.",
      figureTable(systems, byMention(systems), "NEC F1 by mention type")),
    section("All figures",
      "F1 0: share of entities with F1 0. Over-split: key entities whose name is in several response " +
        "entities. Over-combined: response entities that have the names of several key entities. Click a number " +
        "to list its entities.",
      figures(systems)),
  ];
}

/** @param {HTMLElement} root @param {import("../shared/facets.js").Context} context */
export async function render(root, context) {
  const { nec, systems: all } = context.summary;
  if (!nec?.systems.length) return fill(root, none());
  const systems = measuredSystems(context);
  const active = systems.find((system) => system.isActive);
  const { scrollTop } = root;
  keepFocus(() => fill(root, h("div.names", {},
    h("section", { "aria-labelledby": "names-stories" },
      h("h2", { id: "names-stories" }, "Named entity coreference"), h("div.names-cards", {}, systems.map(story))),
    tables(systems),
    active ? lists(context, active)
      : h("p.entities-empty", {}, `Names were not measured for ${all[state().system].name}.`),
    h("p.soft", {}, "Layout of Tables 3 and 4 of Agarwal, Subramanian, Nenkova and Roth (2019), ",
      h("cite", {}, "Evaluation of named entity coreference"), "."),
    h("p.mono.soft", {}, nec.systems[0].signature))));
  root.scrollTop = scrollTop;
}
