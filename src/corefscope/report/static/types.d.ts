// Made by corefscope.typescript from records; do not edit.

/** What one can correct: one type of error, or conflated and divided entities together. */
export interface ActionRecord {
  action: string;
  types: ErrorType[];
  errors: number;
  /** if nothing else is corrected (but span errors, which come first) */
  gain: Record<string, number | FiguresRecord>;
  /** whether there are such errors, and the gain is positive */
  is_recommended: boolean;
}

/** How far annotators of the same texts agree. */
export interface AgreementResult {
  /** the version of corefscope that wrote the result */
  corefscope: string;
  schema: "agreement/1";
  /** how the figures were computed, in one line */
  signature: string;
  /** the names, in the order in which they were given */
  annotators: string[];
  /** the file of each annotator */
  files: Record<string, string>;
  pairs: PairRecord[];
  /** the unweighted mean F1 over pairs, by metric, and `conll` */
  mean: Record<string, number>;
  alpha: Alpha;
  mentions: MarkedMentions;
  /** the most disputed one first */
  documents: DisputedDocument[];
  /** the most disputed ones */
  entities: DisputedEntity[];
  /** every disagreement, if asked for */
  list?: Dispute[];
  findings: FindingRecord[];
}

/** Krippendorff's α with both distances; None if no mention has two values. */
export interface Alpha {
  /** null if no mention was marked by two annotators */
  passonneau: number | null;
  /** null if no mention was marked by two annotators */
  masi: number | null;
  /** what an annotator says about a mention that only others marked */
  unmarked: "missing" | "singleton";
  /** the number of mentions with two values or more */
  units: number;
}

/** Which documents were analysed. */
export interface AnalysedDocuments {
  analysed: number;
  missing: string[];
  extra: string[];
}

/** The errors of one system. */
export interface AnalysedSystem {
  name: string;
  response: string;
  signature: string;
  mode: "berkeley" | "standard";
  sources: SourcesRecord;
  documents: AnalysedDocuments;
  operations: Record<string, number>;
  errors: Record<string, number>;
  /** the costliest entities */
  dearest: CostRecord[];
  /** the scores of the response as it is */
  before: Record<string, number | FiguresRecord>;
  impact: Record<string, ImpactRecord>;
  /** what to correct first: by the gain in the CoNLL score, or in the last metric */
  actions: ActionRecord[];
}

/** Key chains that are split, or response chains that combine several key chains. */
export interface ChainSpread {
  chains: number;
  /** share of all chains of the type */
  rate: number | null;
  /** chains, or names, beyond one */
  excess: number;
}

/** Numbers of errors that were fixed, changed, and so on. */
export interface ChangeCountsRecord {
  before: number;
  fixed: number;
  differently_before: number;
  unchanged: number;
  differently_after: number;
  broken: number;
  after: number;
  net: number;
}

/** A mention that was edited, shrunk or dropped. */
export interface ChangedMentionRecord {
  document: string;
  /** the name of its entity in the answer */
  entity: string;
  /** its words in the answer */
  text: string;
  /** `edited`, `shrunk`, or why it was dropped */
  outcome: string;
  /** its words in the key; null if it was dropped */
  becomes: string | null;
}

/** A response chain that has the names of several chains of the key. */
export interface CombinedRecord {
  document: string;
  entity: string;
  types: string[];
  /** the chains of the key: K1, K2, … */
  holds: string[];
}

/** A comparison of systems. */
export interface CompareResult {
  /** the version of corefscope that wrote the result */
  corefscope: string;
  schema: "compare/2";
  key: string;
  signature: string;
  unit: string;
  units: number;
  /** whether randomization went through all possible swaps */
  exact: boolean;
  samples: number;
  seed: number;
  confidence: number;
  /** the system of the planned comparison; null without one */
  baseline: string | null;
  /** the statistic of the planned comparison */
  planned: string;
  systems: ComparedSystem[];
  comparisons: Difference[];
  sentences: string[];
  /** how it was computed, in words */
  method: Record<string, string>;
  findings: FindingRecord[];
}

/** The scores of one system. */
export interface ComparedSystem {
  name: string;
  responses: string[];
  /** by metric, and `conll` */
  scores: Record<string, Estimate>;
}

/** The ledgers of a response that is tagged text. */
export interface CorpusLedgerRecord {
  /** the number of documents by status */
  statuses: Record<string, number>;
  /** sums over documents */
  total: LedgerRecord;
  /** by name of the document in the key */
  documents: Record<string, LedgerRecord>;
  /** the scores without failed documents */
  without_failed: OtherScoresRecord;
  /** those that were edited, shrunk or dropped */
  mentions?: ChangedMentionRecord[];
}

/** An entity, and the recall or precision that it loses. */
export interface CostRecord {
  side: "key" | "response";
  document: string;
  /** K1, K2, … of the key, R1, R2, … of the response */
  entity: string;
  /** its label in its file */
  label: string;
  /** the words of a typical mention */
  title: string;
  /** number of mentions */
  size: number;
  loses: "precision" | "recall";
  share: number;
  /** entities of the other side that contain its mentions */
  pieces: number;
  /** mentions that the other side does not have */
  unmatched: number;
  /** its confusion group in the document */
  group: number;
}

/** The difference between the scores of two systems, with its interval and p-value.

    One comparison is planned: the main score of each system against the baseline. It has a verdict;
    everything else is exploratory. */
export interface Difference {
  system: string;
  other: string;
  statistic: string;
  difference: number;
  low: number | null;
  high: number | null;
  /** the level of the interval; planned ones hold together */
  confidence: number;
  /** not corrected; null without a test */
  p: number | null;
  test: "bootstrap" | "randomization" | "satterthwaite" | null;
  /** corrected for the number of planned comparisons; null if exploratory */
  p_corrected: number | null;
  /** the smallest corrected p-value that was possible */
  least: number | null;
  /** in how many units the planned systems differ; null if exploratory */
  differing: number | null;
  /** the smallest difference found with 80 % power */
  detectable: number | null;
  /** null if the comparison is exploratory */
  verdict: "cannot be tested" | "not significant" | "significant" | "unclear" | null;
}

/** How often two annotators disagree, by kind. */
export interface DisagreementCounts {
  /** mentions that both marked with different boundaries */
  boundaries: number;
  /** entities of a whose mentions are in several entities of b */
  one_in_a: number;
  /** entities of b whose mentions are in several entities of a */
  one_in_b: number;
  /** mentions that only a marked */
  only_in_a: number;
  /** mentions that only b marked */
  only_in_b: number;
}

/** One disagreement of two annotators. */
export interface Dispute {
  a: string;
  b: string;
  kind: "boundaries" | "entities" | "marked_by_one";
  document: string;
  /** the sentence of the first mention, from 1; null without words */
  sentence: number | null;
  /** what a marked; null if only b marked it */
  in_a: string | null;
  /** what b marked; null if only a marked it */
  in_b: string | null;
}

/** A document, and how far its annotators agree. */
export interface DisputedDocument {
  document: string;
  annotators: string[];
  /** B³ F1, averaged over pairs; null if nobody marked a mention */
  b3: number | null;
}

/** An entity of an annotator, and how far the others agree with it. */
export interface DisputedEntity {
  annotator: string;
  document: string;
  /** its number among the annotator's entities of the document, from 1 */
  place: number;
  /** its label in its file */
  label: string;
  /** its first name, or else its first noun, or else a pronoun */
  title: string;
  mentions: number;
  /** its B³ score in each other annotator, averaged */
  b3: number;
}

/** The distribution of a score over resamples. */
export interface Distributions {
  systems: Histogram[];
  /** by pair of systems; null if there are too many */
  differences: Histogram[] | null;
}

/** An entity in the text. */
export interface EntityText {
  name: string;
  title: string;
  mentions: ([number, number, number, number | null])[];
  /** by mention: a number in the document's list of marked mentions, or null for a mention that its first and last token identify; null if all mentions are such */
  marks: (number | null)[] | null;
}

/** All errors of all systems, one system after the other, as columns of equal length. */
export interface ErrorColumns {
  /** numbers of systems */
  system: number[];
  /** numbers of documents */
  document: number[];
  id: string[];
  type: ErrorType[];
  sentence: (number | null)[];
  left: string[];
  text: (string | null)[];
  right: string[];
  mention_type: MentionType[];
  entity_type: (string | null)[];
  distance: (number | null)[];
  entity: string[];
  title: string[];
  group: number[];
  size: number[];
  description: string[];
  /** null unless the error is a part of an entity */
  other: (string | null)[];
  start: number[];
  end: number[];
  /** of the first mentions */
  spans: [number, number][][];
  /** of the first mention: its number in the document's list of marked mentions; null if start and end identify it */
  mark: (number | null)[];
}

/** The error types that operations are mapped to (section 3.2), in the order of Table 1. */
export type ErrorType = "conflated_entities" | "divided_entity" | "extra_entity" | "extra_mention" | "missing_entity" | "missing_mention" | "span_error";

/** The errors of one or more systems. */
export interface ErrorsResult {
  /** the version of corefscope that wrote the result */
  corefscope: string;
  schema: "errors/1";
  key: string;
  systems: AnalysedSystem[];
  findings: FindingRecord[];
}

/** A score and its interval. */
export interface Estimate {
  value: number;
  /** null if there is only one unit */
  low: number | null;
  high: number | null;
  /** the standard deviation over runs, if there are several */
  deviation: number | null;
}

/** Recall, precision and F1, or their changes. */
export interface FiguresRecord {
  recall: number | null;
  precision: number | null;
  f1: number;
}

/** An error or warning about the input. */
export interface FindingRecord {
  /** a stable code such as W201; see the documentation of findings */
  code: string;
  severity: "error" | "warning";
  file: string | null;
  line: number | null;
  message: string;
}

/** The number of values in each bin; all bins have the same width. */
export interface Histogram {
  low: number;
  high: number;
  counts: number[];
}

/** The gain of correcting one type of error. */
export interface ImpactRecord {
  /** if only this type is corrected (and span errors, which come first) */
  alone: Record<string, number | FiguresRecord>;
  /** if all types are corrected one after the other */
  step: Record<string, number | FiguresRecord>;
}

/** An entity of the key. */
export interface KeyEntity {
  name: string;
  title: string;
  mentions: ([number, number, number, number | null])[];
  /** by mention: a number in the document's list of marked mentions, or null for a mention that its first and last token identify; null if all mentions are such */
  marks: (number | null)[] | null;
  /** by system */
  cost: number[];
}

/** What became of the tags, mentions and words of tagged text. */
export interface LedgerRecord {
  /** how mentions are tagged; `none` without tags */
  style: string;
  /** opening tags */
  opened: number;
  /** closing tags */
  closed: number;
  /** tags that mark no mention, such as `<b>`, or are cut off */
  foreign: number;
  /** mentions between tags */
  parsed: number;
  exact: number;
  /** mentions with changed words, whose edges are certain */
  edited: number;
  /** mentions that lost words at an edge */
  shrunk: number;
  /** tags and mentions that were dropped, by reason */
  dropped: Record<string, number>;
  words: WordCounts;
  /** words at the end of the text that the copy lacks */
  missing_tail: number;
  /** words of the copy before and after the copied text */
  outside: number;
  /** null in sums over documents */
  status: "cut off" | "failed" | "ok" | "repaired" | null;
  /** mentions of the style tanl that name an antecedent which no mention is */
  antecedent_not_found?: number;
  /** how windows were put together, if the document has windows */
  windows?: WindowCounts;
}

/** How many annotators marked the mentions that someone marked. */
export interface MarkedMentions {
  /** the number of mentions that 1, 2, … annotators marked */
  marked_by: number[];
  /** the number of mentions that all annotators of their document marked */
  by_all: number;
}

/** What kind of phrase a mention is. */
export type MentionType = "name" | "nominal" | "pronoun" | "unknown" | "zero";

/** F1 of mentions of one type, and the number of chains with such mentions. */
export interface MentionTypeScore {
  f1: number | null;
  chains: number;
}

/** Recall, precision and F1 of summed counts. */
export interface MicroScore {
  recall: number | null;
  precision: number | null;
  f1: number | null;
}

/** A chain of the key with a name, and the response chain that it is paired with. */
export interface NamedChainRecord {
  document: string;
  /** K1, K2, … as in the file of the key */
  entity: string;
  type: string;
  mentions: number;
  names: string[];
  /** response chains that have one of its names: R1, R2, … */
  candidates: string[];
  /** the response chain that it is paired with */
  best: string | null;
  /** mentions of that response chain */
  size: number;
  /** mentions that both have */
  common: number;
  f1: number;
  recall: number;
  precision: number | null;
  /** F1 of the mentions that are names */
  name: number | null;
  /** F1 of the mentions that are pronouns */
  pronoun: number | null;
  /** F1 of the mentions that are nominals */
  nominal: number | null;
  /** F1 of the mentions that are zeros */
  zero?: number | null;
  /** response chains that its name is spread over */
  split: string[];
  /** whether another chain is paired with the same response chain */
  shared: boolean;
  found: boolean;
}

/** Options of named entity coreference. */
export interface NecOptions {
  types?: Record<string, string>;
  heads: "auto" | "constituency" | "dependency" | "heuristic";
  preset: "default" | "paper";
}

/** Named entity coreference of one or more systems. */
export interface NecResult {
  /** the version of corefscope that wrote the result */
  corefscope: string;
  schema: "nec/1";
  key: string;
  systems: NecSystem[];
  findings: FindingRecord[];
}

/** The named entities of one system. */
export interface NecSystem {
  name: string;
  response: string;
  signature: string;
  /** the layer that heads come from */
  heads: string;
  /** by entity type; ALL is all types together */
  types: Record<string, TypeScore>;
  unmeasured: UnmeasuredTag[];
  macro_f1: number | null;
  /** the CoNLL score of all chains */
  conll: number | null;
  options: NecOptions;
  detail: NamedChainRecord[];
  combined: CombinedRecord[];
}

/** The scores of a response that is treated otherwise. */
export interface OtherScoresRecord {
  /** the number of documents that are scored */
  documents: number;
  /** scores by the id of the metric */
  metrics: Record<string, ScoreRecord>;
  conll: number | null;
}

/** The agreement of two annotators. */
export interface PairRecord {
  /** an annotator, in the role of the key */
  a: string;
  /** another annotator */
  b: string;
  /** the number of documents that both annotated */
  documents: number;
  /** scores by the id of the metric */
  metrics: Record<string, ScoreRecord>;
  /** the mean F1 of MUC, B³ and CEAFe; null without all three */
  conll: number | null;
  /** the agreement on which mentions there are */
  boundaries: ScoreRecord;
  disagreements: DisagreementCounts;
}

/** The changes between two systems, as marks on their errors. */
export interface ReportChanges {
  /** the number of a system */
  before: number;
  /** the number of a system */
  after: number;
  counts: ChangeCountsRecord;
  /** a mark per error: = same in both, ~ changed, - fixed, + broken */
  of_before: string;
  of_after: string;
  /** rows of errors before, and of those that replace them */
  exchanges: number[][][];
}

/** A document and its scores by system. */
export interface ReportDocument {
  name: string;
  tokens: number | null;
  entities: number;
  mentions: number;
  conll: number[];
  /** recall and precision */
  b3: ([number, number] | null)[];
}

/** A file that the report was made from. */
export interface ReportFile {
  role: "key" | "names" | "response";
  name: string;
  /** null if there was no file */
  path: string | null;
  bytes: number | null;
  sha256: string | null;
}

/** A finding with the title of its code. */
export interface ReportFinding {
  /** a stable code such as W201; see the documentation of findings */
  code: string;
  severity: "error" | "warning";
  file: string | null;
  line: number | null;
  message: string;
  title: string;
  /** whether it may make the results wrong or less certain */
  is_doubt: boolean;
}

/** A system and its letter in tables. */
export interface ReportSystem {
  name: string;
  letter: string;
}

/** A document; it is loaded when it is opened. */
export interface ReportText {
  name: string;
  has_text: boolean;
  words: string[];
  sentences: [number, number][];
  /** by sentence */
  speakers: string[] | null;
  /** empty nodes: the token, and its lemma if it has no word */
  zeros: [number, string][];
  key: KeyEntity[];
  systems: SystemInDocument[];
  /** the parts of mentions that first and last token do not identify, such as mentions with gaps; no part for a zero that the key has no token for */
  marked: [number, number][][];
  /** the zeros that the key has no token for, in the order of the text: the number among marked mentions, and whether it stands before its token, or after it */
  absent: [number, boolean][];
}

/** A window or a topic that was scored as one, and its scores by system. */
export interface ReportUnit {
  name: string;
  /** the number of the document of a window */
  document: number | null;
  mentions: number;
  conll: number[];
  /** recall and precision */
  b3: ([number, number] | null)[];
}

/** An entity of a response. */
export interface ResponseEntity {
  name: string;
  title: string;
  mentions: ([number, number, number, number | null])[];
  /** by mention: a number in the document's list of marked mentions, or null for a mention that its first and last token identify; null if all mentions are such */
  marks: (number | null)[] | null;
  cost: number;
  /** the number of the key entity that it is aligned with */
  key: number | null;
}

/** Fractions between 0 and 1, unrounded, and the counts behind them. */
export interface ScoreRecord {
  /** null for a metric that has no recall */
  recall: number | null;
  /** null for a metric that has no precision */
  precision: number | null;
  f1: number;
  /** numerator and denominator */
  recall_counts: [number, number];
  /** numerator and denominator */
  precision_counts: [number, number];
  coreference?: ScoreRecord;
  non_coreference?: ScoreRecord;
  detection?: ScoreRecord;
  mentions?: ScoreRecord;
  coverage?: ScoreRecord;
  all_coreference?: ScoreRecord;
  all_non_coreference?: ScoreRecord;
}

/** The scores of one or more systems. */
export interface ScoreResult {
  /** the version of corefscope that wrote the result */
  corefscope: string;
  schema: "score/1";
  /** the file of the key */
  key: string;
  systems: ScoredSystem[];
  findings: FindingRecord[];
}

/** Which documents were scored. */
export interface ScoredDocuments {
  /** the number of documents of the key */
  scored: number;
  /** documents missing from the response */
  missing: string[];
  /** documents that only the response has */
  extra: string[];
}

/** The scores of one system. */
export interface ScoredSystem {
  name: string;
  /** the file of the response */
  response: string;
  /** how the scores were computed, in one line */
  signature: string;
  profile: string;
  documents: ScoredDocuments;
  /** scores by the id of the metric */
  metrics: Record<string, ScoreRecord>;
  /** the mean F1 of MUC, B³ and CEAFe; null without all three */
  conll: number | null;
}

/** How many documents used which layer of the text. */
export interface SourcesRecord {
  heads: Record<string, number>;
  types: Record<string, number>;
  /** english for English tables, or universal */
  languages: Record<string, number>;
  /** documents with named entities */
  names: number;
  /** layers that were taken from the response */
  from_response: Record<string, number>;
}

/** The data that all views of a report need. */
export interface Summary {
  /** the version of corefscope that wrote the result */
  corefscope: string;
  schema: "report/1";
  title: string;
  /** the command that made the report */
  command: string;
  /** whether words are masked */
  redacted: boolean;
  signature: string;
  files: ReportFile[];
  systems: ReportSystem[];
  documents: ReportDocument[];
  /** what was scored as one, if not documents: windows or topics */
  units: ReportUnit[] | null;
  scores: ScoreResult;
  /** by system; null unless it is tagged text */
  ledgers: (CorpusLedgerRecord | null)[];
  comparison: CompareResult;
  errors: ErrorsResult;
  /** null without named entities */
  nec: NecResult | null;
  findings: ReportFinding[];
  changes: ReportChanges[];
  /** by statistic */
  distributions: Record<string, Distributions> | null;
  /** only for annotators, none of them the key */
  agreement?: AgreementResult;
  /** the number of the annotator in the place of the key */
  reference?: number;
}

/** The entities of a system in a document; its errors are in the table of errors. */
export interface SystemInDocument {
  entities: ResponseEntity[];
}

/** The scores of one entity type, or of all types; null if there is nothing to measure. */
export interface TypeScore {
  chains: number;
  f1: number | null;
  not_found: number | null;
  zero_f1: number | null;
  recall: number | null;
  precision: number | null;
  micro: MicroScore;
  /** names, nominals and pronouns; zeros only if a chain has any */
  by_mention_type: Record<string, MentionTypeScore>;
  over_split: ChainSpread;
  over_combined: ChainSpread;
  /** the CoNLL score of chains with a name of the type */
  conll: number | null;
}

/** Key chains that are not measured because their tag is not mapped to a type. */
export interface UnmeasuredTag {
  tag: string;
  chains: number;
}

/** How the windows of a document were put together. */
export interface WindowCounts {
  count: number;
  /** entities of a window that are also in windows before it */
  joined: number;
  /** mentions on which two windows of the same text disagree */
  conflicts: number;
}

/** The words of a copy and of its source. */
export interface WordCounts {
  /** equal, respelt, replaced, deleted, and those missing at the end */
  source: number;
  /** equal, respelt, replaced, inserted, and those outside */
  output: number;
  equal: number;
  /** the same word in other letters, such as upper case */
  respelt: number;
  replaced: number;
  inserted: number;
  deleted: number;
}
