"""Plans the search for a question: what it asks for, which queries are made, and which of its words name its topic."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Final

from trueref_core.text.identifiers import asked_sign_names, codes, identifiers, is_coded, parts
from trueref_core.text.key_combinations import key_name, written_combinations
from trueref_core.text.printable import without_surrogates
from trueref_core.text.sentences import split_sentences
from trueref_core.text.word_forms import ENGLISH, folded, is_english, language_of
from trueref_server.corpus.corpus import MAX_JOINED, Statistics
from trueref_server.corpus.spelling import is_common, repairs
from trueref_server.corpus.words import (
    ABOUT_SIGNS,
    as_written,
    content_words,
    hyphenated_names,
    names_among_function_words,
    numbered,
    stem,
    without_names,
    words,
)
from trueref_server.question.comparison import compared_things
from trueref_server.question.compounds import other_spellings, verbs_with_particle
from trueref_server.question.meaning import word_asked_for
from trueref_server.question.openings import without_openings
from trueref_server.question.places import files_as_places
from trueref_server.question.pointing import points_to_unnamed, refers_to_earlier
from trueref_server.question.question_text import (
    asked_in,
    is_asking,
    left_out,
    names,
    quotations,
    split_clauses,
    topic_before,
    unwanted_verb,
    wanting_verbs,
    without_courtesy,
    without_log_noise,
)
from trueref_server.question.releases import releases_asked
from trueref_server.question.rivals import rival_of_subject
from trueref_server.question.usual_topics import RIVAL, TOPICS, usual_topic
from trueref_server.records import Plan, Question

MAX_PARTS: Final = 4
"""The most sentences of a question that are embedded by themselves: each costs as much as the whole question."""

MAX_ASKED: Final = 3
"""The most questions within a question that are answered separately: an answer has this many cards."""

ASKED_LENGTH: Final = 120
"""The most characters of a question within a question that is answered separately, which costs as much as answering the
whole. Among 1,900 questions of readers 32 have such questions in them, with 99 characters at most."""

ASKING_LENGTH: Final = 300
ASKING_NAMES: Final = 4
"""The most characters and identifiers of a text whose questions are answered separately. Those 32 texts have 172
characters and 2 identifiers at most."""

PART_LENGTH: Final = 300
"""The most characters of a sentence that is embedded by itself. Readers' sentences have 173 at most, and the whole
question is embedded too."""

MIN_WORDS: Final = 2
"""The fewest content words of a sentence that is searched for by itself. One word is enough for a question, or for one
of two questions in a sentence, since it asks something. A sentence such as `How do I remove it?` needs more, since `it`
stands for something in another one."""

MAX_NAMES: Final = 4
"""The most identifiers of the site that are looked for because a question writes their words apart."""

MAX_IDENTIFIERS: Final = 8
"""The most identifiers of a question that are looked for: each gets a search of its own if no hit has it."""

MAX_REPAIRED: Final = 3
"""The most words of one question that are repaired: if more are unknown, the question is about another topic."""

MAX_BARE: Final = 2
"""A question with at most this many content words besides its identifiers asks for little more than the identifiers."""

MAX_KEYWORDS: Final = 4
"""The most words of a question that is nothing but keywords."""

_METHOD: Final = re.compile(r"(?<![\w#/.:-])[A-Z]\w{0,60}(?:(?:::|\.)[A-Z]\w{0,60}){0,5}#[a-z_]\w{0,60}[?!]?")
"""Matches a method with its class, as Ruby and Java write it: `String#upcase`."""

_CALL: Final = re.compile(r"(?<![\w)\]$.-])(\.?)([A-Za-z_$]\w{1,60})\(\)")
"""Matches the call of a function or a member that looks like a word otherwise: `get()`, `.catch()`."""

_NO_NAME: Final = re.compile(r"\A(?:[A-Za-z]{1,40}[/:][A-Za-z]{1,40}|[A-Za-z]{1,2}(?:\.[A-Za-z]{1,2}){1,9})\Z")
"""Words that look like identifiers and are none: `and/or`, `now:what`, and abbreviations such as `e.g` and `U.S`."""

_CONJUNCTION: Final = re.compile(r"(?:^|[,;]?\s)(?:and|or|but|then|so)\Z", re.IGNORECASE)
"""The conjunction at the end of what stands before a question."""

_NAME_ALONE: Final = re.compile(r"^\W{1,20}|(?:['\u2019]s)?(?<!\W)\W{1,20}$|['\u2019]s$")
"""What stands around a name in a sentence: `(kiln)`, `kiln:`, `kiln's`."""

_PREPOSITION_AT_END: Final = re.compile(r"\s(?:in|of|for|with|from)$", re.IGNORECASE)
"""What is left of `--all in kiln` without the name."""

_RELEASES: Final = re.compile(
    r"(?<![\w-])(?:change ?logs?|release notes?|releases|(?:latest|last|newest|next|which|what) release|"
    r"what(?:'s| is) new|new in|since (?:version|when)|which version|"
    r"announce(?:d|ments?)|blog|breaking changes?|upgrad(?:e|ed|ing) (?:from|to)|migrat(?:e|ed|ing|ion)|"
    r"version v?\d{1,4}\.\d{1,4}|v\d{1,4}\.\d{1,4})\b",
    re.IGNORECASE,
)
"""Words of a question that asks for changes between versions: for a change log, a release, or a version number."""

_CONTRIBUTING: Final = re.compile(
    r"\b(?:contribut\w*|tests|(?:the|its|your) test suite|from source|profil(?:e|ed|ing)|benchmark\w*|"
    r"(?:pull|merge|feature) requests?|prs?|mrs?|patch(?:es)?|fork(?:s|ed)?|bugs?|bug ?reports?|"
    r"issues?|report(?:s|ed|ing)?|maintain\w*|upstream|develop(?:er|ers|ing|ment)?|translat\w*|"
    r"code of conduct|sponsor\w*|donat\w*|community|roadmap|deprecation policy|"
    r"release (?:cycle|cadence|schedule|process|policy)|(?<!my )(?<!our )(?:new|next) (?:versions?|releases?))\b",
    re.IGNORECASE,
)
"""Words of a question that may ask how to take part in the project that the docs are of, or how it is run. Pages for
contributors rank lower for all other questions."""

_OPTION: Final = re.compile(
    r"\b(?:options?|settings?|flags?|parameters?|arguments?|variables?|defaults?|config(?:ure|uration)? (?:key|value)|"
    r"(?:allowed|possible|valid) values?|configurable)\b",
    re.IGNORECASE,
)
"""Words of a question that asks for an option, or for a value of one. Such a question wants a reference page. Reference
pages rank lower for all other questions, since they have nearly every word of the site."""


# This function is long because a plan has many fields; each of them is made by a function of its own.
def make_plan(
    question: Question,
    site_language: str = "",
    statistics: Statistics | None = None,
    synonyms: Mapping[str, tuple[str, ...]] | None = None,
) -> Plan:
    """The plan of a question. A question without content words has no terms and finds nothing.

    Args:
        question: What is asked.
        site_language: The language of the docs, for a question whose own language is not known.
        statistics: How common words are in the docs. Without it no word is repaired, and no identifier is put together.
        synonyms: By word in small letters, the words that are searched as well, as the owner of the site gives them.
    """
    language = question.language or site_language
    # A log is read by lines, and what stands before a question may have line breaks.
    cleaned = without_openings(" ".join(without_log_noise(without_courtesy(without_surrogates(question.text))).split()))
    # Read before words are repaired: an identifier that no page has must stay as it is.
    query_identifiers = _identifiers(cleaned, language, statistics)
    repaired = _repaired(cleaned, query_identifiers, language, statistics) if statistics else ()
    as_repaired = _with_repairs(cleaned, repaired)
    query = _without_name_of_docs(as_repaired, query_identifiers, language, statistics)
    with_particle = verbs_with_particle(query, language, statistics) if statistics else ()
    plan_words = _plan_words(query, query_identifiers, language, [joined for _, joined in with_particle])
    query_parts = _parts(query)
    releases = releases_asked(query)
    asks_for_identifier = _asks_for_identifier(query, query_identifiers, language)
    is_short = len(query) <= ASKING_LENGTH
    is_short_english = is_short and language_of(language) in ("", ENGLISH)
    topic = usual_topic(query, statistics.subject) if statistics else ""
    rival = rival_of_subject(query, statistics) if statistics and is_short_english else ""
    topic = topic or (RIVAL if rival else "")
    return Plan(
        question=question,
        query=query,
        words=plan_words,
        terms=tuple(stem(word, language) for word in plan_words),
        identifiers=query_identifiers,
        wanting=wanting_verbs(query),
        with_particle=with_particle,
        joined=_joined(query, statistics) if statistics else (),
        language=language,
        asks_for_identifier=asks_for_identifier,
        is_keywords=bool(plan_words) and len(content_words(query, language)) == len(words(query)) <= MAX_KEYWORDS,
        wants_option=asks_for_identifier or _OPTION.search(query) is not None,
        parts=query_parts,
        asks=_asks(query, query_parts) if is_short and len(query_identifiers) <= ASKING_NAMES else (),
        compared=compared_things(query) if is_short_english else (),
        unknown_word=word_asked_for(query) if is_short_english else "",
        unwanted_verb=unwanted_verb(query) if is_short_english else "",
        left_out=left_out(query) if is_short_english else (),
        quoted=quotations(cleaned),
        repaired=repaired,
        read_as=as_repaired if as_repaired != cleaned else "",
        synonyms=(
            *_synonyms(query, synonyms or {}),
            *((TOPICS[topic].searched,) if topic else ()),
            *(joined for _, joined in with_particle),
        ),
        wants_releases=bool(releases or _RELEASES.search(query)),
        wants_to_contribute=_CONTRIBUTING.search(query) is not None,
        releases=releases,
        usual_topic=topic,
        rival=rival,
    )


def _identifiers(cleaned: str, language: str, statistics: Statistics | None) -> tuple[str, ...]:
    """The identifiers of a question. If there are too many, those whose words the site has are preferred.

    The name of a parameter or the like is one of them even if it looks like a word, as `mynetworks` does. `timeout` is
    the name of parameters too, but most questions with this word do not ask for one. A code such as `E501` is one of
    them if the docs have it, and so are a name of signs such as `&&`, a combination of keys, the call of a member, and
    that of a function whose name is too common a word to be searched for.
    """
    known: Mapping[str, int] = statistics.section_counts if statistics is not None else {}
    known_codes = (code for code in codes(cleaned) if known.get(stem(code.lower(), language)))
    # `ready()` is found by its word, and may be of the reader's own code. `get()` has no word that is searched for.
    has_words = bool(content_words(cleaned, language))
    calls = [name for dot, name in _CALL.findall(cleaned) if dot or not has_words]
    members = [*_METHOD.findall(cleaned), *calls]
    # `CTRL-C` looks like a constant.
    names = (name for name in (*identifiers(cleaned), *known_codes) if not key_name(name))
    others = (name for name in names if not any(name in member for member in members))
    written_identifiers = list(dict.fromkeys([*members, *others]))
    # In other languages it is not known which words are common. A single word may be in any.
    may_be_english = language_of(language) == ENGLISH or is_english(cleaned) or (not language and " " not in cleaned)
    if not written_identifiers and statistics is not None and may_be_english:
        candidates = dict.fromkeys([*hyphenated_names(cleaned), *as_written(cleaned)])
        written_identifiers = [
            word for word in candidates if word.lower() in statistics.entries and not is_common(word.lower())
        ]
    # Any text of 2,000 characters is a question, and each of its identifiers may cost a search.
    if len(written_identifiers) > MAX_IDENTIFIERS and statistics is not None:
        written_identifiers.sort(
            key=lambda name: not all(statistics.section_counts.get(stem(word, language)) for word in words(name))
        )
    wordless = _wordless_names(cleaned, language, statistics) if statistics is not None else []
    return tuple(dict.fromkeys([*written_identifiers, *wordless]))[:MAX_IDENTIFIERS]


def _wordless_names(cleaned: str, language: str, statistics: Statistics) -> list[str]:
    """The names of signs and the combinations of keys in a question that the docs have."""
    topic = set(content_words(cleaned, language)) - ABOUT_SIGNS - statistics.subject
    signs = asked_sign_names(cleaned, statistics.signs, has_topic=bool(topic))
    return [*signs, *(keys for keys in written_combinations(cleaned) if key_name(keys) in statistics.keys)]


def _plan_words(
    query: str, query_identifiers: Iterable[str], language: str, joined: Iterable[str] = ()
) -> tuple[str, ...]:
    """The content words of a query and of its identifiers, which are split into words, and others that it has apart.

    There is one word for each stem.
    """
    keys = [*filter(key_name, query_identifiers)]
    words_of = (parts(name) for name in query_identifiers if not is_coded(name) and name not in keys)
    identifier_words = " ".join(chain.from_iterable(words_of))
    by_stem: dict[str, str] = {}
    asked = [*content_words(without_names(query, keys), language), *content_words(identifier_words)]
    # Where nothing else is asked, a word such as `su` is no preposition.
    for word in (*asked, *joined) or names_among_function_words(query):
        by_stem.setdefault(stem(word), word)
    return tuple(by_stem.values())


def _without_name_of_docs(
    query: str, query_identifiers: Sequence[str], language: str, statistics: Statistics | None
) -> str:
    """A question without the name of what the docs are about, if it has nothing else beside its identifiers.

    `kiln -o` asks for `-o`, and sections that have `kiln` often came before its entry. Of several sites the name tells
    which one is meant.
    """
    if not query_identifiers or statistics is None or len(statistics.subjects) != 1:
        return query
    others = content_words(without_names(query, query_identifiers), language)
    if not others or not statistics.subject.issuperset(others):
        return query
    is_name = statistics.subject.__contains__
    rest = " ".join(word for word in query.split() if not is_name(_NAME_ALONE.sub("", word.lower())))
    return _PREPOSITION_AT_END.sub("", rest)


def _asks_for_identifier(query: str, query_identifiers: Sequence[str], language: str) -> bool:
    """Whether a question asks for little more than its identifiers. `and/or` and `e.g.` are none that are asked for."""
    if not query_identifiers or all(map(_NO_NAME.fullmatch, query_identifiers)):
        return False
    others = len(content_words(without_names(query, query_identifiers), language))
    # `environment variables in kiln.yml` asks for the variables, and `what goes in kiln.yml` for the file.
    is_place = set(query_identifiers) <= set(files_as_places(query))
    return others <= (MAX_BARE - 1 if is_place else MAX_BARE)


def _parts(query: str) -> tuple[str, ...]:
    """The parts that are searched for by themselves: none if there is only one, the longest if there are many."""
    searchable_parts = list(_clauses(query))
    if len(searchable_parts) < 2:
        return ()
    longest = sorted(searchable_parts, key=len, reverse=True)[:MAX_PARTS]
    return tuple(part for part in searchable_parts if part in longest)


def _asks(query: str, query_parts: Sequence[str]) -> tuple[str, ...]:
    """The parts of a question that ask something themselves, if there are several: no reasons, and no symptoms.

    Each has the topic that stands before the first of them: `fonts: how do I add one, and where are they kept?` asks
    about fonts twice. A part that points back has none, since it is read with the part before it. Without a topic, it
    counts only after a part that names something: `How do I install it?` cannot come first.
    """
    asking = [*filter(None, (asked_in(part) for part in query_parts if len(part) <= ASKED_LENGTH))]
    first_whole = next((at for at, part in enumerate(asking) if not points_to_unnamed(part)), len(asking))
    # Taken from the text: `We use docker.` has too few words to be searched for by itself.
    topic = topic_before(_CONJUNCTION.sub("", query[: query.find(asking[0])].strip())) if asking else ""
    if topic and len(topic) <= ASKED_LENGTH:
        asked = [
            part if at > first_whole and points_to_unnamed(part) else f"{topic} {part}"
            for at, part in enumerate(asking)
        ]
    else:
        asked = asking[first_whole:]
    return tuple(asked[:MAX_ASKED]) if len(asked) > 1 else ()


def _clauses(query: str) -> Iterator[str]:
    """The clauses of a query that have enough content words to be searched for by themselves."""
    for start, end in split_sentences(query):
        clauses = split_clauses(query[start:end])
        for clause in clauses:
            is_whole = len(clauses) > 1 or is_asking(clause)
            # The first clause of `What is a lockfile, and where is the cache stored` has one content word, and asks
            # something.
            words_needed = 1 if is_whole and not refers_to_earlier(clause) else MIN_WORDS
            if len(clause) <= PART_LENGTH and len(content_words(clause)) >= words_needed:
                yield clause


def _repaired(
    cleaned: str, query_identifiers: Iterable[str], language: str, statistics: Statistics
) -> tuple[tuple[str, str], ...]:
    """Words of a question that no page has, as they are written, each with the word that is meant.

    Identifiers, quotations and names are left as they are: whoever writes them that way means them that way.
    """
    # `SHA-256` is the name of a standard, which is also spelt `sha256`.
    exact_names = (name for name in query_identifiers if name.lower() not in numbered(name))
    verbatim = {word for text in [*exact_names, *quotations(cleaned)] for word in words(text)}
    respelt = other_spellings(cleaned, language, verbatim, statistics)
    # A name is taken to be typed correctly, except that its hyphen may be missing: German nouns, which have a capital,
    # count as names here.
    unrepairable = {*verbatim, *(word for name in names(cleaned) for word in words(name))}
    unrepairable.update(part for word, _ in respelt for part in words(word))
    unknown = (
        word
        for word in content_words(cleaned, language)
        if word not in unrepairable
        and stem(word, language) not in statistics.section_counts
        and word not in statistics.words
    )
    written_by_folded = {folded(word): word.lower() for word in as_written(cleaned)}
    is_plainly_english = language_of(language) in ("", ENGLISH) and is_english(
        without_names(cleaned, query_identifiers)
    )
    mistyped = repairs(unknown, statistics.vocabulary, MAX_REPAIRED, is_plainly_english=is_plainly_english)
    return (*respelt, *((written_by_folded.get(word, word), meant) for word, meant in mistyped))


def _with_repairs(text: str, repaired: Iterable[tuple[str, str]]) -> str:
    """A text with the words that are meant in place of those that were mistyped, whole words only."""
    for mistyped, correction in repaired:
        text = re.sub(rf"(?<!\w){re.escape(mistyped)}(?!\w)", correction, text, flags=re.IGNORECASE)
    return text


def _joined(query: str, statistics: Statistics) -> tuple[str, ...]:
    """Identifiers of the site whose words a question writes apart: `page not found` for `PageNotFound`."""
    query_words = words(query)
    joined: dict[str, None] = {}
    # The longest first: `page not found` means `PageNotFound` before it means `page_not`.
    for size in range(MAX_JOINED, 1, -1):
        for start in range(len(query_words) - size + 1):
            joined_names = statistics.names.get("".join(query_words[start : start + size]), ())
            joined.update(dict.fromkeys(sorted(joined_names)))
    return tuple(joined)[:MAX_NAMES]


def _synonyms(query: str, synonyms: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The synonyms that the owner of the site gave for words of a question."""
    if not synonyms:
        return ()
    # With a space at both ends, so that only whole words match.
    text = f" {' '.join(words(query))} "
    matching = (
        synonym
        for term, synonyms_of_term in synonyms.items()
        if f" {' '.join(words(term))} " in text
        for synonym in synonyms_of_term
    )
    return tuple(dict.fromkeys(matching))
