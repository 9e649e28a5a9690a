"""The tables for English.

Head rules, pronouns and tags are those of Kummerfeld and Klein's (2013) classification of
coreference errors, after Collins (1999); the scan rules are those of named entity coreference
(Agarwal et al. 2019) for texts without a parse.
"""

from __future__ import annotations

from corefscope.language.tables import (
    Cues,
    Features,
    HeadRule,
    HeadRules,
    HeadSide,
    Language,
    NominalRules,
    ScanRules,
)

_LEFT, _RIGHT = HeadSide.LEFTMOST, HeadSide.RIGHTMOST


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_NOUN_PHRASE = HeadRule.of_steps(
    [
        # A possessive marker is the head of its phrase: if POS is the last child, it is chosen.
        (_RIGHT, "NN NNP NNPS NNS NX POS JJR"),
        (_LEFT, "NP NML"),
        (_RIGHT, "$ ADJP PRN"),
        (_RIGHT, "CD"),
        (_RIGHT, "JJ JJS RB QP"),
    ],
    otherwise=_RIGHT,
)

_OTHER_NOMINAL = HeadRule.of_priorities(
    _RIGHT, "NN NNS NNP NNPS NP NAC EX $ CD QP PRP VBG JJ JJS JJR ADJP FW"
)

_PRIORITIES = {
    "ADJP": (_RIGHT, "NNS QP NN $ ADVP JJ VBN VBG ADJP JJR NP JJS DT FW RBR RBS SBAR RB"),
    "ADVP": (_LEFT, "RB RBR RBS FW ADVP TO CD JJR JJ IN NP JJS NN"),
    "CONJP": (_LEFT, "CC RB IN"),
    "FRAG": (_LEFT, ""),
    "INTJ": (_RIGHT, ""),
    "LST": (_LEFT, "LS :"),
    "META": (_RIGHT, ""),
    "PP": (_LEFT, "IN TO VBG VBN RP FW"),
    "PRN": (_RIGHT, ""),
    "PRT": (_LEFT, "RP"),
    "QP": (_RIGHT, "$ IN NNS NN JJ RB DT CD NCD QP JJR JJS"),
    "RRC": (_LEFT, "VP NP ADVP ADJP PP"),
    "S": (_RIGHT, "TO IN VP S SBAR ADJP UCP NP"),
    "SBAR": (_RIGHT, "WHNP WHPP WHADVP WHADJP IN DT S SQ SINV SBAR FRAG"),
    "SBARQ": (_RIGHT, "SQ S SINV SBARQ FRAG"),
    "SINV": (_RIGHT, "VBZ VBD VBP VB MD VP S SINV ADJP NP"),
    "SQ": (_RIGHT, "VBZ VBD VBP VB MD VP SQ"),
    "UCP": (_LEFT, ""),
    "VP": (_RIGHT, "TO VBD VBN MD VBZ VB VBG VBP VP ADJP NN NNS NP"),
    "WHADJP": (_RIGHT, "CC WRB JJ ADJP"),
    "WHADVP": (_LEFT, "CC WRB"),
    "WHNP": (_RIGHT, "WDT WP WP$ WHADJP WHPP WHNP"),
    "WHPP": (_LEFT, "IN TO FW"),
}

# Labels are compared literally: NP-SBJ is not NP, so the last rule applies.
_HEAD_RULES = HeadRules(
    by_label={
        "NP": _NOUN_PHRASE,
        "NML": _NOUN_PHRASE,
        "NAC": _OTHER_NOMINAL,
        "NX": _OTHER_NOMINAL,
        "X": _OTHER_NOMINAL,
        **{label: HeadRule.of_priorities(*rule) for label, rule in _PRIORITIES.items()},
    },
    otherwise=HeadRule.of_priorities(_RIGHT, ""),
)

_PRONOUNS = (
    (Features("female", "single", "third"), "her hers herself she"),
    (Features("male", "single", "third"), "he him himself his"),
    (Features("neuter", "single", "third"), "it its itself"),
    (Features("neuter", "single", None), "what when where which how"),
    (Features(None, "single", "first"), "i me mine my myself one"),
    (Features(None, "plural", "first"), "our ours ourselves us we"),
    (Features(None, "single", "second"), "yours thyself ya you your yourself"),
    (Features(None, "plural", "second"), "yourselves"),
    (Features(None, None, "third"), "they their theirs anybody anyone nobody none noone"),
    (Features(None, "plural", "third"), "them 'em em themselves everybody everyone all few"),
    (Features(None, "plural", "third"), "several some many most these those"),
    (Features(None, "single", "third"), "somebody someone that this"),
    (Features(None, "single", None), "whoever whomever whose something"),
    (Features(None, None, None), "whatever who whom nothing everything"),
)

_BREAKS = _words(", : ; - -- ( ) [ ] / -LRB- -RRB- -LSB- -RSB-")
_PUNCTUATION = _BREAKS | _words(". ? ! … ` `` ' '' \" ‘ ’ “ ” « » – — { } -LCB- -RCB-")
_RELATIVES = _words("who whom whose which that where when")
_CONJUNCTIONS = _words("and or")
# Without words that often precede a noun: past, down, up, off, out, like.
_PREPOSITIONS = _words(
    "about above across after against along amid among amongst around as at because before behind "
    "below beneath beside besides between beyond by concerning despite during except for from if "
    "in inside into near of on onto outside over per regarding since than through throughout till "
    "to toward towards under unlike until upon via with within without"
)
_DETERMINERS = _words(
    "a an the no every another any anything both each either little more much neither other "
    "others whichever such"
)

_SCAN_RULES = ScanRules(
    punctuation=_PUNCTUATION,
    breaks=_BREAKS,
    boundary=Cues(
        tags=_words("IN TO WDT WP WP$ WRB CC VBG VBN VBD VBZ VBP MD , : -LRB-"),
        words=_PREPOSITIONS | _RELATIVES | _CONJUNCTIONS,
    ),
    conjunction=Cues(tags=_words("CC"), words=_CONJUNCTIONS),
    possessive=Cues(tags=_words("POS"), words=_words("'s ’s ' ’")),
    participle=Cues(tags=_words("VBG VBN"), words=frozenset()),
    modifier=Cues(tags=_words("DT PDT PRP$ CD JJ JJR JJS RB RBR RBS"), words=frozenset()),
)


# Collins's rules without the possessive rule, and with NML treated as NP.
_NOMINAL_RULES = NominalRules(
    nominal=_words("NP NML NX WHNP QP FRAG TOP"),
    joined=_words("NP NML NX NN NNS NNP NNPS PRP"),
    conjunction="CC",
    steps=(
        ("last", _words("NN NNS NNP NNPS NX JJR")),
        ("first", _words("NP WHNP")),
        ("first", _words("NML")),
        ("last", _words("$ ADJP PRN")),
        ("last", _words("CD")),
        ("last", _words("JJ JJS RB QP")),
    ),
    others={
        **dict.fromkeys(
            ("S", "SBAR", "VP"),
            ("last", ["VP", "S", "VBD", "VBN", "MD", "VBZ", "VB", "VBG", "VBP", "NP"]),
        ),
        "PP": ("first", ()),
    },
)

_PRONOUN_FEATURES = {word: features for features, text in _PRONOUNS for word in text.split()}
# The second line has the tags added by OntoNotes, the web treebanks and spaCy.
_PENN_TAGS = _words(
    "CC CD DT EX FW IN JJ JJR JJS LS MD NN NNS NNP NNPS PDT POS PRP PRP$ RB RBR RBS RP SYM TO UH "
    "ADD AFX GW HYPH NFP XX NIL -NONE- _SP "
    "VB VBD VBG VBN VBP VBZ WDT WP WP$ WRB "
    "# $ . , : ( ) `` '' \" ' ` -LRB- -RRB- -LSB- -RSB- -LCB- -RCB-"
)
_UNIVERSAL_TAGS = {
    "ADJ": "JJ",
    "ADP": "IN",
    "ADV": "RB",
    "AUX": "MD",
    "CCONJ": "CC",
    "CONJ": "CC",
    "DET": "DT",
    "INTJ": "UH",
    "NOUN": "NN",
    "NUM": "CD",
    "PART": "RB",
    "PRON": "PRP",
    "PROPN": "NNP",
    "PUNCT": ".",
    "SCONJ": "IN",
    "SPACE": "_SP",
    "SYM": "SYM",
    # Before a noun, a verb is a participle ("the growing economy"), which VBN allows.
    "VERB": "VBN",
    "X": "FW",
}
_UNIVERSAL_WORDS = {
    ("PRON", "PRP$"): "my your his her its our their",
    ("PRON", "WP"): "who whom whoever whomever what whatever",
    ("PRON", "WP$"): "whose",
    ("PRON", "WDT"): "which that whichever",
    ("PRON", "DT"): "this these those all some any both each another either neither",
    ("PRON", "NN"): "somebody someone something anybody anyone anything nobody none noone nothing "
    "everybody everyone everything",
    ("PRON", "JJ"): "few several many most",
    ("PRON", "EX"): "there",
    ("DET", "PRP$"): "my your his her its our their",
    ("DET", "WDT"): "which what whichever whatever",
    ("DET", "WP$"): "whose",
    ("ADV", "WRB"): "where when why how",
    ("PART", "POS"): "'s ’s ' ’",
    ("PART", "TO"): "to",
    ("ADP", "TO"): "to",
    ("SYM", "$"): "$ £ € ¥",
}

ENGLISH = Language(
    name="English",
    tags=_PENN_TAGS,
    universal_tags=_UNIVERSAL_TAGS,
    universal_words={
        (universal, word): tag
        for (universal, tag), text in _UNIVERSAL_WORDS.items()
        for word in text.split()
    },
    # Without words such as "in", "of", "a" and "was", which are also words of other languages.
    common_words=_words(
        "the and to that with his it for she they you not this from but which were are have been "
        "there would their what when"
    ),
    pronouns=_PRONOUN_FEATURES,
    pronoun_tags=_words("PRP PRP$ WP WP$ WDT WRB DT"),
    name_tags=_words("NNP NNPS"),
    noun_phrase="NP",
    # The paper names PRP, WP, WDT and WRB, but its Table 3 also counts "their", which is PRP$.
    candidate_tags=_words("PRP PRP$ WP WDT WRB"),
    head_rules=_HEAD_RULES,
    scan_rules=_SCAN_RULES,
    nominal_rules=_NOMINAL_RULES,
    personal_tags=_words("PRP PRP$"),
    personal_pronouns=_words(
        "i me my mine myself you your yours yourself yourselves he him his himself she her hers "
        "herself it its itself we us our ours ourselves they them their theirs themselves one"
    ),
    closed_class=(
        _DETERMINERS
        | _PREPOSITIONS
        | _RELATIVES
        | _CONJUNCTIONS
        | _words("but nor so yet not there here then")
        | frozenset(_PRONOUN_FEATURES)
    ),
)
"""English as in the Penn Treebank and OntoNotes."""
