// What people write answers a search better than what is generated: rank it first.
var Scorer = {
  score: ([docname, , , , score]) =>
    /^(formats\/|ref\/(commands|fields|formats|python))/.test(docname) ? score - 20 : score,
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
