"""Words of questions in other languages than English that say nothing of a topic.

They are question words, verbs such as `can`, and who asks. Docs do not have them, so that they would be told as
missing. Articles and prepositions stay: every page has them, and a short question is judged by all of its words.

Written as they are compared: in small letters, without accents, and with `ss` for `ß`. Negations are left out, since
they are part of what is asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from trueref_core.text.word_forms import language_of

FUNCTION_WORDS: Final[Mapping[str, frozenset[str]]] = {
    language: frozenset(text.split())
    for language, text in {
        "de": "also bin bitte du etwas gibt hab habe haben hallo hat ich ja kann kannst konnen konnte machen mein "
        "meine meinem meinen meiner mich mir mochte muss schon soll sollte warum was welche welchem welchen "
        "welcher welches wer weshalb wie wieso will wir wo wofur woher wohin womit wozu",
        "es": "algo algun alguna algunos cual cuales cuando cuanto donde estoy ha hace hacer hago han hay he hola me "
        "mi mis muy necesito nos porque puede puedo quien quiero son tengo tiene tu yo",
        "fr": "ai ainsi as avoir bonjour ca comment est etre fait faire faut j je m ma me mes moi mon nos notre nous "
        "on peut peux plus pourquoi pouvoir puis qu quand que quel quelle quelles quels qui quoi sera soit t toi "
        "va veux voici voila vos votre vous",
        "it": "ai c chi ciao come cosa cui deve devo essere fa fare faccio ho io mi mia mie mio miei perche possiamo "
        "posso puo qual quale quali quando quello ti voglio vorrei",
        "nl": "doe doen er gaat hallo heb hebben hoe ik ja je jij kan kun kunnen kunt me men mij mijn moet moeten "
        "ons uw veel waar waarmee waarom wanneer wat we welk welke wie wij wil worden zou",
        "pl": "aby bo by byc chce co czego czy czym dla dzieki gdzie ile ja jaka jaki jakie jakiego juz kiedy komu kto "
        "ktora ktore ktory ktorych ma mam mi mnie mogy moge moj moja moje moze mozna musze potrzebuje skad witam",
        "pt": "deve devo era estou eu faco faz fazer me meu meus minha minhas muito nossa nosso oi ola onde pode podem "
        "porque posso preciso qual quais quando quanto quem quero tenho voce",
    }.items()
}
"""By language. The lists were written for questions about software, and take no word that may be a topic of such."""


def function_words(language: str) -> frozenset[str]:
    """The words of a language tag's language; none for English, which has a list of its own, and for others."""
    return FUNCTION_WORDS.get(language_of(language), frozenset())
