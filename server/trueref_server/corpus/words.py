"""Splits questions and texts into words, and reduces words to stems, by which they are compared."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

from trueref_core.text.identifiers import identifiers, parts
from trueref_core.text.word_forms import HANGUL, MAX_CHARACTERS, STEMMERS, WORD, folded, language_of, pairs

if TYPE_CHECKING:
    from py_rust_stemmers import SnowballStemmer

    from trueref_core.records import Chunk

STOP_WORDS: Final = frozenset(
    "a about above after all also am an and any are aren arent as at be been being below but by can cant come comes "
    "coming could couldn couldnt did didn didnt do does doesn doesnt doing don dont for from get gets getting got had "
    "hadn hadnt happen happened happening happens has hasn hasnt have haven havent having hello heres hey hi how hows "
    "i if in into is isn isnt it its ive just know let like ll make me my need needs of on only or our please re s "
    "should shouldn shouldnt so some t than thank thanks that thats the their them then there theres these they "
    "theyre this those to too tried try trying under up us use used using ve very want wants was wasn wasnt way we "
    "were weren werent what whats when where wheres which while who whos why will with won wont work working works "
    "would wouldn wouldnt you your youre".split()
)
"""English words that tell nothing about a topic, also without their apostrophe (`doesnt`, `whats`). `no` and `not` are
left out: they are parts of options, and change the meaning. With `above` and `below` docs refer to their own text, and
readers say where something should be: `add a title above a table` was answered by `In the case above, ...`."""

ABOUT_SIGNS: Final = frozenset(
    "mean means meaning difference between operator symbol sign syntax character called".split()
)
"""Words beside a name of signs or keys that ask for what it is, and for nothing else."""

FUNCTION_WORDS: Final[Mapping[str, frozenset[str]]] = {
    language: frozenset(text.split())
    for language, text in {
        "de": "also am an auf aus bei bin bitte das dem den der des die du duerfen durch durfen ein eine einem "
        "einen einer eines es etwas fuer fur gegen geht gibt hab habe haben hallo hat ich im in ist ja kann "
        "kannst koennen koennte koennten konnen konnte machen man mein meine meinem meinen meiner mich mir "
        "mit mochte moechte muessen muss mussen nach ob oder schon sich sind soll sollte uber ueber um und "
        "unter vom von war warum was welche welchem welchen welcher welches wer werden weshalb wie wieso will "
        "wir wird wo wofuer wofur woher wohin womit wozu wuerde wurde wurden zu zum zur",
        "es": "al algo algun alguna algunos como con cual cuales cuando cuanto de del donde e el en es esta estan "
        "este estoy ha hace hacer hago han hay he hola la las lo los me mi mis muy necesito nos o para por "
        "porque puede puedo que quien quiero se si son su sus tengo tiene tu u un una y yo",
        "fr": "a ai aimerais ainsi as au aux avec avoir bonjour c ca ce ces cet cette comment d dans de des dois "
        "doit du elle en est et etre existe faire fait faut il j je l la le les leur m ma me mes moi mon n ne "
        "nos notre nous on ou par peut peux plus pour pourquoi pouvoir puis qu quand que quel quelle quelles "
        "quels qui quoi s sa se sera ses soit son sont souhaite sur t toi un une va veux voici voila vos "
        "votre vous y",
        "it": "a ad ai al alla alle c che chi ciao come con cosa cui da dal dalla dei del della delle deve devo di "
        "e ed essere fa faccio fare gli ho il in io l la le lo mi mia mie miei mio nei nel nella o per perche "
        "possiamo posso puo qual quale quali quando quello si sono su sul sulla ti un una uno voglio vorrei",
        "nl": "aan bij dat de die dit doe doen door een en er gaat hallo heb hebben het hoe ik in is ja je jij kan "
        "kun kunnen kunt me men met mij mijn moet moeten naar of om ons op te uit uw van veel voor waar "
        "waarmee waarom wanneer wat we welk welke wie wij wil worden zijn zou",
        "pl": "a aby bo by byc chce co czego czy czym dla do dzieki gdzie i ile ja jaka jaki jakie jakiego jest juz "
        "kiedy komu kto ktora ktore ktory ktorych lub ma mam mi mnie moge mogy moj moja moje moze mozna musze "
        "na o od oraz po potrzebuje przez sa sie skad to w we witam z za ze",
        "pt": "a ao aos as com como da das de deve devo do dos e em era esta este estou eu faco faz fazer isso me "
        "meu meus minha minhas muito na nas no nos nossa nosso o oi ola onde os ou para pode podem por porque "
        "posso preciso quais qual quando quanto que quem quero sao se ser tenho um uma voce",
        "ru": "а бы в вы где для до есть за зачем и из или к как какая какие какое какой ко когда кто куда ли меня "
        "мне можно мы на надо нам нас нужно о об от откуда по почему при с сделать сколько со такое такой то "
        "у чем что это этот я",
    }.items()
}
"""By language: words of questions that tell nothing about a topic, besides the English ones.

They are question words, verbs such as `can`, pronouns, articles, prepositions and forms of `be`: what `STOP_WORDS` has
of English. Docs do not have the first three, so that an answer would name them as missing. Every page has the others:
of `Comment installer un cluster Kubernetes ?`, docs that lack both nouns had half of the words. Negations are left out,
since they are part of what is asked. Words that are names in software too, such as `os` and `su`, are topics where they
are written as names (`OS`), or where nothing else is asked. Source of the articles and prepositions: the lists of stop
words of Snowball.

Written as they are compared: in small letters, without accents, and with `ss` for `ß`.
"""

NAMES_TOO: Final = frozenset("ad ai as bin del die ed man op os su war".split())
"""Function words that are commands and the like too: a question or title with nothing else is about them."""

SHOUTED_FROM: Final = 4
"""From how many words on those of a question in capitals are no names: `OS` and `AI API` are."""

UNSPACED_FILLERS: Final = re.compile(
    "[\u3041-\u309f]+|怎么样|怎么办|为什么|能不能|有没有|如何|怎样|怎么|什么|哪里|哪些|哪个|多少|是否|能否|可以|需要|请问|"
    "[吗呢吧的了]|어떻게|무엇|어디|언제|방법"
)
"""Text in Chinese, Japanese and Korean that tells nothing about a topic. In Japanese this is all hiragana: they are
endings and particles far more often than words."""

MAX_ARTICLE: Final = 2
"""A word with at most this many letters may be an article of a language whose stop words are not known here."""

MIN_LETTERS: Final = 3
"""The fewest letters of the longest part of a word with hyphens, and of both words of a compound."""

LONGEST_WORD: Final = 80
"""Characters of the longest word that may have an ending. What is longer is no word of a language, but data."""

STEMS_KEPT: Final = 50_000
"""How many words are kept with their stems."""

ELLIPSIS: Final = " …"

# A word, with the sign of a name such as `C++`, `g++` and `F#`: the `#` of `a#b` is none. The letters before a sign are
# counted back from it, because in `使用C++` they are not the whole run.
_SIGNED_WORD = re.compile(r"[^\W_]+(?:(?<=[A-Za-z])(?:(?<![A-Za-z0-9]{4})\+\+|(?<![A-Za-z0-9]{2})#)(?![A-Za-z]))?")
# A hyphenated word begins neither inside a word nor after a hyphen: the option `--no-cache` is none.
_HYPHENATED = re.compile(r"(?<![\w-])[^\W\d_]+(?:-[^\W\d_]+){1,2}(?![\w-])")
_HYPHENATED_NAME = re.compile(r"(?<![\w.:/@<-])[A-Za-z][A-Za-z0-9]{0,40}(?:-[A-Za-z0-9]{1,40}){1,6}(?![\w:/@-]|\.\w)")
# `UTF-8` and `HTTP/2`: neither the option `--depth-1`, nor a part of a path, of `HTTP/1.1` or of `SHA-2-256`.
_NUMBERED = re.compile(r"(?<![\w./:-])[^\W\d_]{2,20}[-/][0-9]{1,4}(?![\w/-]|\.[0-9])")
_NEIGHBOURS = re.compile(r"(?<![\w.-])(?=([^\W\d_]+) ([^\W\d_]+)(?![\w(-]|\.\w))")
_CODE_SPAN = re.compile(r"(?<!`)(`{1,2})(?!`)([^`\n]{1,200})\1(?!`)")
# A name with an inner capital, which the plural `URLs` does not have. `%2Fexample` is part of an address. The bound
# keeps matching linear.
_NAME_OF_WORDS = re.compile(
    r"(?<![^\W_])(?<!%)[A-Za-z0-9]{0,80}?(?:[a-z0-9][A-Z]|[A-Z]{2}[a-z]{2})[A-Za-z0-9]*(?![^\W_])"
)
# Thai, Lao, Burmese, Khmer, kana and Han: no spaces between words. Hangul: particles and endings grow onto the words.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff]+"
)


def words(text: str) -> list[str]:
    """The words of a text in order, in lower case, without accents; scripts without spaces as pairs of characters.

    The sign of `C++`, `g++` and `C#` is part of the word.
    """
    matches = as_written(folded(text))
    return matches if text.isascii() else [part for word in matches for part in _parts(word)]


def hyphenated(text: str) -> dict[str, str]:
    """The words of a text that have hyphens, in small letters, by their form without: `{"email": "e-mail"}`.

    The keys have no accents, as words are compared. One part has to have `MIN_LETTERS` letters: `a-z` is no word.
    """
    # Words without a hyphen are dropped first: all texts of an index are read here when it is opened, and few of their
    # words have one.
    with_hyphens = " ".join(word for word in text.split() if "-" in word).lower()
    spellings = (
        word for word in _HYPHENATED.findall(with_hyphens) if len(max(word.split("-"), key=len)) >= MIN_LETTERS
    )
    return {folded(word).replace("-", ""): word for word in spellings}


def hyphenated_names(text: str) -> list[str]:
    """The words of a text that have hyphens, as they are written: no options, and no parts of paths."""
    return _HYPHENATED_NAME.findall(text)


def words_with_signs(text: str) -> str:
    """The words of a text with a hyphen or slash in them: all that `hyphenated` and `numbered` can find."""
    return " ".join(word for word in text.split() if "-" in word or "/" in word)


def numbered(text: str) -> frozenset[str]:
    """The names of a text that end with a number after a hyphen or slash, in small letters: `utf-8`, `http/2`."""
    return frozenset(_NUMBERED.findall(text.lower()))


def compounds(title: str) -> dict[str, str]:
    """Neighbouring words of a title, in small letters, by their form as one word: `{"darkmode": "dark mode"}`.

    The keys have no accents. Both words have to have `MIN_LETTERS` letters, and neither may be a stop word.
    """
    pairs_of_title = (pair for pair in _NEIGHBOURS.findall(title.lower()) if min(map(len, pair)) >= MIN_LETTERS)
    return {folded("".join(pair)): " ".join(pair) for pair in pairs_of_title if STOP_WORDS.isdisjoint(pair)}


def words_of_names(text: str, *, is_code: bool) -> list[str]:
    """The words of the names in the code of a text, such as CSV, Feed and Spider of `CSVFeedSpider`.

    Whoever asks for a spider that reads csv has no such name. Names in prose are left out: `GitHub` is not about a hub.
    So are tokens such as `eyJhbGciOi`, of which most parts are no words.

    Args:
        text: The text, in Markdown unless it is code.
        is_code: Whether all of it is code. If not, only what stands between backticks is.
    """
    code = text if is_code else " ".join(span[2] for span in _CODE_SPAN.finditer(text))
    found: list[str] = []
    for name in _NAME_OF_WORDS.findall(code):
        of_name = [part for part in parts(name) if len(part) > 1]
        if 2 * sum(len(part) >= MIN_LETTERS for part in of_name) >= len(parts(name)):
            found += of_name
    return found


def as_written(text: str) -> list[str]:
    """The words of a text with their capitals and accents."""
    # The pattern with signs takes half as long again, and few texts have one.
    return (_SIGNED_WORD if "++" in text or "#" in text else WORD).findall(text)


def as_written_in_spaces(text: str) -> list[str]:
    """The words of a text as they are written, without runs of scripts without spaces: `Kiln` of `如何安装Kiln程序`."""
    return [piece for word in as_written(text) for piece in _UNSPACED.split(word) if piece]


def _parts(word: str) -> Iterator[str]:
    """The parts of a word: each run of a script without spaces as overlapping pairs of characters, other text whole.

    Pairs, because most words of these scripts have two characters.
    """
    end = 0
    for run in _UNSPACED.finditer(word):
        if run.start() > end:
            yield word[end : run.start()]
        yield from pairs(run[0])
        end = run.end()
    if end < len(word):
        yield word[end:]


def stem(word: str, language: str = "") -> str:
    """A word without its ending, so that install, installs and installing are the same. Only for comparing.

    Source: the Snowball stemmer of the language; the English one if the language has none or is not known. Words of
    other scripts come back as they are, and so do those of more than `LONGEST_WORD` characters.
    """
    return _stem(word, language) if len(word) <= LONGEST_WORD else word


@lru_cache(maxsize=STEMS_KEPT)
def _stem(word: str, language: str) -> str:
    """The stem of a word, kept for the next text that has it. A long word is not kept: a question may be one word."""
    return _stemmer(STEMMERS.get(language_of(language), "english")).stem_word(word)


@lru_cache(maxsize=2_000)
def stems(text: str, language: str = "") -> frozenset[str]:
    """The stems of the words of a text, up to `MAX_CHARACTERS` characters of it.

    Cached: the chunks of a popular page are compared with every question.
    """
    return frozenset(stem(word, language) for word in words(text[:MAX_CHARACTERS]))


def stems_of_chunks(chunks: Iterable[Chunk], language: str) -> frozenset[str]:
    """The stems of the words of some chunks, with those of their titles and of the lines that introduce code."""
    return frozenset[str]().union(*(stems(chunk.embedded_text, language) for chunk in chunks))


def absence_matters(word: str) -> bool:
    """Whether it means something that no page has a word: it means nothing for an article or a pair of characters.

    Pairs of characters stand for words in scripts without spaces, and a pair may lie across two words. `c#` is as short
    as an article, and is none.
    """
    return (len(word) > MAX_ARTICLE or word.endswith("#")) and not _UNSPACED.search(word)


def has_spaces(text: str) -> bool:
    """Whether a text has only scripts that put spaces between words."""
    return not _UNSPACED.search(text)


def content_words(text: str, language: str = "") -> list[str]:
    """The words of a question that tell its topic, in order.

    Left out are the stop words of English, the function words of `language` unless they are written as names, and
    hiragana, fillers and the ends of Korean words. If a question has nothing but these last three, they stay.
    """
    candidates = words(text)
    if not text.isascii():
        bare = words(" ".join(map(_beginning, UNSPACED_FILLERS.sub(" ", folded(text)).split())))
        # A question such as `どうやって` is all hiragana: without the fillers nothing would remain to search for.
        candidates = bare if any(len(word) > 1 for word in bare) else candidates
    untelling = _untelling_in(text, language)
    return [word for word in candidates if word not in untelling and len(word) > 1]


def topic_words(title: str, language: str = "") -> list[str]:
    """The words of a title that tell its topic, in order: if it has nothing but function words, the names among them.

    The title `su` says of a section of docs in Italian that it is about this command.
    """
    untelling = _untelling_in(title, language)
    return [word for word in words(title) if word not in untelling] or names_among_function_words(title)


def names_among_function_words(text: str) -> list[str]:
    """The words of `NAMES_TOO` that a text has, of which it has no other topic: `su` of `cosa fa su?`."""
    return [word for word in words(text) if word in NAMES_TOO and word not in STOP_WORDS]


@lru_cache(maxsize=1_000)
def untelling_words(language: str) -> frozenset[str]:
    """The words that tell nothing about a topic: those of English, and those of the language of a tag."""
    return STOP_WORDS | FUNCTION_WORDS.get(language_of(language), frozenset())


def _untelling_in(text: str, language: str) -> frozenset[str]:
    """The words that tell nothing about the topic of a text.

    A function word of another language than English is a name in capitals (`AI`, `OS`) or between backticks.
    """
    untelling = untelling_words(language)
    if language_of(language) not in FUNCTION_WORDS:
        return untelling
    written = as_written(text)
    is_shouted = text.isupper() and len(written) >= SHOUTED_FROM
    names = [] if is_shouted else [word for word in written if len(word) > 1 and word.isupper()]
    names += [span[2] for span in _CODE_SPAN.finditer(text)]
    return untelling - set(words(" ".join(names))) | STOP_WORDS if names else untelling


def without_fillers(text: str) -> str:
    """A question in a script without spaces as full text searches it: without `UNSPACED_FILLERS`.

    With them if nothing else is left. `て`, `の` and `ください` are in most sections: many with all of them came before
    the only one on the topic. Other questions are returned as they are.
    """
    if not _UNSPACED.search(text):
        return text
    bare = " ".join(UNSPACED_FILLERS.sub(" ", text).split())
    return bare if any(character.isalnum() for character in bare) else text


def is_bare_identifier(text: str, language: str = "") -> bool:
    """Whether a text asks for identifiers and for nothing else: `--no-deps`, or `what is edit_uri?`."""
    names = list(identifiers(text))
    return bool(names) and not content_words(without_names(text, names), language)


def without_names(text: str, names: Iterable[str]) -> str:
    """A text with a space in place of each of `names`: what is asked besides these identifiers."""
    # The longest first: `--import` is a part of `--import-mode`.
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(name, " ")
    return text


def content_stems(text: str, language: str = "") -> tuple[str, ...]:
    """The stems of the words of a text that tell its topic, each once, in order."""
    return tuple(dict.fromkeys(stem(word, language) for word in content_words(text, language)))


def shortened_to_words(text: str, length: int) -> str:
    """The beginning of a text, `length` characters at most: whole words, and an ellipsis if something is left out.

    If words would take more than half of that, as in Chinese, it ends between characters.
    """
    if len(text) <= length:
        return text
    cut = text[: length - len(ELLIPSIS)]
    end = cut.rfind(" ")
    return f"{cut[:end] if end >= len(cut) // 2 else cut}{ELLIPSIS}"


def _beginning(word: str) -> str:
    """A word with the first half of each of its Hangul runs: the second half is mostly particles and endings."""
    return HANGUL.sub(lambda run: run[0][: max(2, (len(run[0]) + 1) // 2)], word)


@cache
def _stemmer(name: str) -> SnowballStemmer:
    """The Snowball stemmer of a language, made once, since every word needs it."""
    from py_rust_stemmers import SnowballStemmer

    return SnowballStemmer(name)
