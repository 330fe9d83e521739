"""Finds sentences that deny something, or say that the docs lack it, in the languages listed here.

Denials are checked in their own way: no source has the name of a thing that does not exist, and a negation alone makes
a sentence the opposite of its source. In a language without a list no sentence counts as a denial, so that none is
marked as the opposite of its source.
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
    """The words of a language for denials. `no_negation` matches what looks like a negation and is none.

    `docs` are nouns for the docs, `telling_verbs` what docs do: a denial with both says what the docs lack.
    """

    negation: re.Pattern[str]
    docs: re.Pattern[str]
    telling_verbs: re.Pattern[str]
    no_negation: re.Pattern[str] | None = None


def _whole_words(negation: str, docs: str, telling_verbs: str, no_negation: str = "") -> NegationWords:
    """The words of a language that has spaces between words, as patterns of whole words, in capitals or not."""

    def pattern(words: str) -> re.Pattern[str]:
        return re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)

    return NegationWords(
        pattern(negation), pattern(docs), pattern(telling_verbs), pattern(no_negation) if no_negation else None
    )


# The words that the treebanks of Universal Dependencies give the feature Polarity=Neg in these languages
# (universaldependencies.org/u/feat/Polarity.html), with pronouns that deny, and `impossible`, by which translations say
# `cannot`. `python -m scripts.negation_words` compares them with English on translated messages of programs.
LANGUAGES: Final[Mapping[str, NegationWords]] = {
    "de": _whole_words(
        r"nicht|kein(?:e[nmrs]?)?|nie(?:mals|mand(?:e[nmrs]?)?)?|nichts|ohne|weder|nirgend(?:s|wo)|keineswegs|keins|keinerlei",
        r"quellen?|dokumentation|doku",
        r"sag(?:en|t)|nenn(?:en|t)|erwähn(?:en|t)|enthalten|enthält|beschreib(?:en|t)|beschrieben|erklär(?:en|t)"
        r"|beantwort(?:en|et)|steh(?:en|t)|zu\s+finden|genannt|angegeben|dokumentiert",
        r"nicht\s+nur",
    ),
    "es": _whole_words(
        r"no|nunca|jamás|sin|ni|ningun[oa]s?|ningún|nada|nadie|tampoco",
        r"fuentes?|documentación|docs",
        r"dicen?|mencionan?|contienen?|indican?|describen?|explican?|especifican?|incluyen?|responden?|hablan?"
        r"|mencionad[oa]s?|especificad[oa]s?|documentad[oa]s?|encuentran?",
        r"sin\s+embargo|no\s+obstante|no\s+(?:s[oó]lo|solamente)",
    ),
    "fr": _whole_words(
        r"ne|n['’](?=\w)\w+|pas|sans|jamais|aucune?s?|rien|ni|non|impossibles?",
        r"sources?|documentation|docs?",
        r"di(?:t|sent)|mentionne(?:nt)?|contien(?:t|nent)|indique(?:nt)?|décri(?:t|vent)|explique(?:nt)?|précise(?:nt)?"
        r"|inclu(?:t|ent)|répond(?:ent)?|parle(?:nt)?|mentionnée?s?|précisée?s?|documentée?s?|trouve(?:nt)?",
        r"n['’]importe|sans[ -]serif|pas\s+à\s+pas|sans\s+doute|non\s+seulement|ne\s+\w+\s+que",
    ),
    "it": _whole_words(
        r"non|mai|senza|né|nessun(?:[oa])?|niente|nulla|nemmeno|neanche|impossibil[ei]",
        r"font[ei]|documentazione|docs",
        r"dic(?:e|ono)|menziona(?:no)?|contien(?:e)|contengono|indica(?:no)?|descriv(?:e|ono)|spiega(?:no)?"
        r"|specifica(?:no)?|includ(?:e|ono)|rispond(?:e|ono)|parla(?:no)?|menzionat[oaie]|specificat[oaie]"
        r"|documentat[oaie]|trova(?:no)?",
        r"non\s+(?:appena|solo|soltanto)",
    ),
    "nl": _whole_words(
        r"niet|geen|nooit|zonder|niets|niemand|nergens|noch|evenmin|onmogelijk",
        r"bron(?:nen)?|documentatie|docs",
        r"zeg(?:t|gen)|noem(?:t|en)|vermeld(?:t|en)?|bevat(?:ten)?|beschrij(?:ft|ven)|uitleg(?:t|gen)|geef|geeft|geven"
        r"|beantwoord(?:t|en)|genoemd|beschreven|gedocumenteerd|sta(?:at|an)",
        r"niet\s+alleen",
    ),
    "pl": _whole_words(
        r"nie|nigdy|bez|żad(?:en|n[aeyąe]|nego|nej|nych|nym|nymi)|nic|nikt|ani|brak(?:u|uje)?|niemożliw[aye]",
        r"źród(?:ło|ła|eł|łach|łami)|dokumentacj[aieię]",
        r"mówi(?:ą)?|wspomina(?:ją)?|zawiera(?:ją)?|podaj(?:e|ą)|opisuj(?:e|ą)|wyjaśnia(?:ją)?|określa(?:ją)?"
        r"|odpowiada(?:ją)?|informacji|wzmianki|opisane|podane",
        r"nie\s+tylko",
    ),
    "pt": _whole_words(
        r"não|nunca|jamais|sem|nenhum(?:a|as)?|nenhuns|nada|ninguém|nem|impossíve(?:l|is)",
        r"fontes?|documentação|docs",
        r"diz(?:em)?|menciona[m]?|cont(?:ém|êm)|indica[m]?|descreve[m]?|explica[m]?|especifica[m]?|inclu(?:i|em)"
        r"|responde[m]?|fala[m]?|mencionad[oa]s?|especificad[oa]s?|documentad[oa]s?|encontra[m]?",
        r"não\s+(?:só|apenas|somente)",
    ),
    # These languages have no spaces between words, so the patterns are endings and characters. The last pattern of each
    # has phrases for `must`, `maybe`, `few` and the like, which contain such characters.
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

# Names in code and options, such as `--no-deps`, are no negations.
CODE = re.compile(r"`[^`\n]{1,300}`|(?<!\S)--?[a-z][\w-]{0,80}", re.IGNORECASE)

CLAUSE_END = re.compile(r"[,;:]\s")
"""The end of a clause, in languages that write a blank behind a comma: a Japanese or Chinese sentence stays whole."""

# English. `not only` is no negation.
NEGATION = re.compile(r"\b(?:no|not(?!\s+only\b)|never|none|cannot|without|neither|nor)\b|n['’]t\b", re.IGNORECASE)

# English negations that are no words of the languages above: they count whatever the language of the docs, since a
# model may write in English about docs in another language.
ENGLISH_ONLY = re.compile(
    r"\bnot(?!\s+only\b)\b|n['’]t\b|\b(?:cannot|neither|(?:there\s+is|has|have)\s+no)\b", re.IGNORECASE
)

# The gaps are bounded, so that each match looks a fixed number of characters ahead.
LACK = re.compile(
    r"\b(?:sources?|documentation|docs)\b[^.\n]{0,40}?\b(?:do(?:es)?\s+not|don['’]t|doesn['’]t)\s+(?:\w{1,20}\s+)?"
    r"(?:mention|cover|contain|say|state|specify|provide|describe|explain|include|tell)\b",
    re.IGNORECASE,
)


def is_negated(sentence: str, language: str) -> bool:
    """Whether a sentence denies something; False in a language that is not listed.

    A page that names no language counts as English, the language of most pages.
    """
    code = language_of(language) or ENGLISH
    bare = CODE.sub(" ", sentence)
    if code not in LANGUAGES:
        return code == ENGLISH and NEGATION.search(bare) is not None
    words = LANGUAGES[code]
    bare = words.no_negation.sub(" ", bare) if words.no_negation else bare
    return words.negation.search(bare) is not None


def is_negated_in(sentence: str, languages: Collection[str]) -> bool:
    """Whether a sentence denies something in one of the languages, or with unmistakable English words."""
    is_english = ENGLISH_ONLY.search(CODE.sub(" ", sentence)) is not None
    return is_english or any(is_negated(sentence, language) for language in languages)


def tells_lack(sentence: str, languages: Collection[str]) -> bool:
    """Whether a sentence says what the sources lack. The prompt asks for that, and no source can bear it out.

    English is always among the languages, since the prompt is in English and a small model may answer in it.
    """
    return LACK.search(sentence) is not None or any(_tells_lack(sentence, language) for language in languages)


def any_sentence_tells_lack(text: str, languages: Collection[str]) -> bool:
    """Whether a sentence of a text says what the sources lack, in a language other than English."""
    return any(_tells_lack(text[start:end], language) for start, end in split_sentences(text) for language in languages)


def _tells_lack(sentence: str, language: str) -> bool:
    """Whether a sentence denies, in a language other than English, that the docs tell something."""
    words = LANGUAGES.get(language_of(language))
    # All in one clause: `the docs say that it never starts` denies something else.
    return words is not None and any(
        is_negated(clause, language)
        and words.docs.search(clause) is not None
        and words.telling_verbs.search(clause) is not None
        for clause in CLAUSE_END.split(sentence)
    )
