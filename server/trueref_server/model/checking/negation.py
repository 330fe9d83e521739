"""Finds sentences that deny something or say that the docs lack it, in the languages whose words for it are known here.

No source has the name of a thing that does not exist, and two sentences may differ by a negation alone. In a language
without a list no sentence counts as negated, so that none is marked as the opposite of its source.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from trueref_core.text.sentences import split_sentences
from trueref_core.text.word_forms import ENGLISH, language_of


@dataclass(frozen=True, slots=True)
class NegationWords:
    """The words of a language: what denies, what only looks like it, and who in the docs tells what.

    `docs` are names of the docs, `tell` is what these do: a sentence that has both and denies says what is missing.
    """

    negation: re.Pattern[str]
    docs: re.Pattern[str]
    tell: re.Pattern[str]
    only_looks: re.Pattern[str] | None = None


def _words(negation: str, docs: str, tell: str, only_looks: str = "") -> NegationWords:
    """The words of a language with spaces between words; each pattern is of whole words, in any letters."""

    def of(words: str) -> re.Pattern[str]:
        return re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)

    return NegationWords(of(negation), of(docs), of(tell), of(only_looks) if only_looks else None)


# The words that the treebanks of Universal Dependencies give the feature Polarity=Neg in these languages
# (universaldependencies.org/u/feat/Polarity.html), with pronouns that deny, and `impossible`, by which translations say
# `cannot`. `python -m scripts.negation_words` compares them with English on translated messages of programs.
LANGUAGES: Final[Mapping[str, NegationWords]] = {
    "de": _words(
        r"nicht|kein(?:e[nmrs]?)?|nie(?:mals|mand(?:e[nmrs]?)?)?|nichts|ohne|weder|nirgend(?:s|wo)|keineswegs|keins|keinerlei",
        r"quellen?|dokumentation|doku",
        r"sag(?:en|t)|nenn(?:en|t)|erwähn(?:en|t)|enthalten|enthält|beschreib(?:en|t)|beschrieben|erklär(?:en|t)"
        r"|beantwort(?:en|et)|steh(?:en|t)|zu\s+finden|genannt|angegeben|dokumentiert",
        r"nicht\s+nur",
    ),
    "es": _words(
        r"no|nunca|jamás|sin|ni|ningun[oa]s?|ningún|nada|nadie|tampoco",
        r"fuentes?|documentación|docs",
        r"dicen?|mencionan?|contienen?|indican?|describen?|explican?|especifican?|incluyen?|responden?|hablan?"
        r"|mencionad[oa]s?|especificad[oa]s?|documentad[oa]s?|encuentran?",
        r"sin\s+embargo|no\s+obstante|no\s+(?:s[oó]lo|solamente)",
    ),
    "fr": _words(
        r"ne|n['’](?=\w)\w+|pas|sans|jamais|aucune?s?|rien|ni|non|impossibles?",
        r"sources?|documentation|docs?",
        r"di(?:t|sent)|mentionne(?:nt)?|contien(?:t|nent)|indique(?:nt)?|décri(?:t|vent)|explique(?:nt)?|précise(?:nt)?"
        r"|inclu(?:t|ent)|répond(?:ent)?|parle(?:nt)?|mentionnée?s?|précisée?s?|documentée?s?|trouve(?:nt)?",
        r"n['’]importe|sans[ -]serif|pas\s+à\s+pas|sans\s+doute|non\s+seulement|ne\s+\w+\s+que",
    ),
    "it": _words(
        r"non|mai|senza|né|nessun(?:[oa])?|niente|nulla|nemmeno|neanche|impossibil[ei]",
        r"font[ei]|documentazione|docs",
        r"dic(?:e|ono)|menziona(?:no)?|contien(?:e)|contengono|indica(?:no)?|descriv(?:e|ono)|spiega(?:no)?"
        r"|specifica(?:no)?|includ(?:e|ono)|rispond(?:e|ono)|parla(?:no)?|menzionat[oaie]|specificat[oaie]"
        r"|documentat[oaie]|trova(?:no)?",
        r"non\s+(?:appena|solo|soltanto)",
    ),
    "nl": _words(
        r"niet|geen|nooit|zonder|niets|niemand|nergens|noch|evenmin|onmogelijk",
        r"bron(?:nen)?|documentatie|docs",
        r"zeg(?:t|gen)|noem(?:t|en)|vermeld(?:t|en)?|bevat(?:ten)?|beschrij(?:ft|ven)|uitleg(?:t|gen)|geef|geeft|geven"
        r"|beantwoord(?:t|en)|genoemd|beschreven|gedocumenteerd|sta(?:at|an)",
        r"niet\s+alleen",
    ),
    "pl": _words(
        r"nie|nigdy|bez|żad(?:en|n[aeyąe]|nego|nej|nych|nym|nymi)|nic|nikt|ani|brak(?:u|uje)?|niemożliw[aye]",
        r"źród(?:ło|ła|eł|łach|łami)|dokumentacj[aieię]",
        r"mówi(?:ą)?|wspomina(?:ją)?|zawiera(?:ją)?|podaj(?:e|ą)|opisuj(?:e|ą)|wyjaśnia(?:ją)?|określa(?:ją)?"
        r"|odpowiada(?:ją)?|informacji|wzmianki|opisane|podane",
        r"nie\s+tylko",
    ),
    "pt": _words(
        r"não|nunca|jamais|sem|nenhum(?:a|as)?|nenhuns|nada|ninguém|nem|impossíve(?:l|is)",
        r"fontes?|documentação|docs",
        r"diz(?:em)?|menciona[m]?|cont(?:ém|êm)|indica[m]?|descreve[m]?|explica[m]?|especifica[m]?|inclu(?:i|em)"
        r"|responde[m]?|fala[m]?|mencionad[oa]s?|especificad[oa]s?|documentad[oa]s?|encontra[m]?",
        r"não\s+(?:só|apenas|somente)",
    ),
    # No spaces between words: endings and characters. What is left out says `must`, `maybe` and `few`.
    "ja": NegationWords(
        re.compile(r"ない|ません|なかった|なく|なし|無し|[^必みまた]ず(?=[、に。])|不要|不可|不能|無効"),
        re.compile("出典|資料|ドキュメント"),
        re.compile("書かれ|記載|記述|述べ|説明|言及|触れ"),
        re.compile(
            "な(?:ければ|くては?|いと)(?:なり|なら|いけ)(?:ません|ない)|かもしれ(?:ません|ない)|少な[くい]"
            r"|(?:だけ|ばかり)(?:では|で)なく|間もなく|まもなく"
        ),
    ),
    "zh": NegationWords(
        re.compile("不|没|无|非|未|勿|禁止"),
        re.compile("来源|文档|资料"),
        re.compile("提到|提及|描述|说明|解释|指明|给出|回答|介绍"),
        re.compile("不[同断仅但过管少久]|不得不|无[论线头限缝]|除非|非常|未来"),
    ),
}
"""Every language that the widget is shipped in, besides English."""

# The names in code deny nothing, and neither do options, such as `--no-deps`.
CODE = re.compile(r"`[^`\n]{1,300}`|(?<!\S)--?[a-z][\w-]{0,80}", re.IGNORECASE)

CLAUSE_END = re.compile(r"[,;:]\s")

# The end of a word needs no look ahead: `not` is a word of its own everywhere.
NEGATION = re.compile(r"\b(?:no|not(?!\s+only\b)|never|none|cannot|without|neither|nor)\b|n['’]t\b", re.IGNORECASE)

# No words of the other languages that are known, so that a model may deny in English over docs in one of them.
ENGLISH_ONLY = re.compile(
    r"\bnot(?!\s+only\b)\b|n['’]t\b|\b(?:cannot|neither|(?:there\s+is|has|have)\s+no)\b", re.IGNORECASE
)

# Bounded gaps: each match looks a fixed number of characters ahead.
LACK = re.compile(
    r"\b(?:sources?|documentation|docs)\b[^.\n]{0,40}?\b(?:do(?:es)?\s+not|don['’]t|doesn['’]t)\s+(?:\w{1,20}\s+)?"
    r"(?:mention|cover|contain|say|state|specify|provide|describe|explain|include|tell)\b",
    re.IGNORECASE,
)


def is_negated(sentence: str, language: str) -> bool:
    """Whether a sentence says that something is not so; never in a language whose words are not known.

    A page that names no language counts as English, as pages mostly are.
    """
    code = language_of(language) or ENGLISH
    bare = CODE.sub(" ", sentence)
    if code not in LANGUAGES:
        return code == ENGLISH and NEGATION.search(bare) is not None
    words = LANGUAGES[code]
    bare = words.only_looks.sub(" ", bare) if words.only_looks else bare
    return words.negation.search(bare) is not None


def is_negated_in(sentence: str, languages: Collection[str]) -> bool:
    """Whether a sentence says that something is not so, in one of some languages, or plainly in English."""
    is_english = ENGLISH_ONLY.search(CODE.sub(" ", sentence)) is not None
    return is_english or any(is_negated(sentence, language) for language in languages)


def tells_lack(sentence: str, languages: Collection[str]) -> bool:
    """Whether a sentence says what the sources do not hold, as the rules ask for: no source can bear that out.

    English is always among the languages: the rules are written in it, and a small model falls back to it.
    """
    return LACK.search(sentence) is not None or any(_tells_lack(sentence, language) for language in languages)


def begins_with_lack(text: str, languages: Collection[str]) -> bool:
    """Whether a sentence of a text says so, in other languages than English."""
    return any(_tells_lack(text[start:end], language) for start, end in split_sentences(text) for language in languages)


def _tells_lack(sentence: str, language: str) -> bool:
    """Whether a sentence denies, in a language other than English, that the docs tell something."""
    words = LANGUAGES.get(language_of(language))
    # In one clause: `the docs say that it never starts` denies something else.
    return words is not None and any(
        is_negated(clause, language) and words.docs.search(clause) is not None and words.tell.search(clause) is not None
        for clause in CLAUSE_END.split(sentence)
    )
