"""What each of the sites holds, written down by hand from what a browser shows of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final


@dataclass(frozen=True)
class Expected:
    """One site.

    Attributes:
        base_url: What its canonical links tell.
        generator: How the name of its generator begins.
        language: Of the site.
        root: The selector of the element that holds the content.
        form: How the address of a page is made of its name.
        searched: By page that is searched: title, kind, language, version.
        hidden: By page that is not: why.
        redirects: Pages that only lead elsewhere.
        following: By page, the one to read next.
        questions: By question, the page and anchor of the section that answers it.
    """

    base_url: str | None
    generator: str
    language: str
    root: str
    form: str
    searched: dict[str, tuple[str, str, str, str]]
    hidden: dict[str, str]
    following: dict[str, str]
    questions: dict[str, tuple[str, str]]
    redirects: frozenset[str] = field(default=frozenset())


def _guide(title: str, language: str = "en", version: str = "") -> tuple[str, str, str, str]:
    return (title, "guide", language, version)


def _landing(title: str, language: str = "en", version: str = "") -> tuple[str, str, str, str]:
    return (title, "landing", language, version)


MATERIAL: Final = Expected(
    base_url="https://hive.example.org/docs/",
    generator="mkdocs-",
    language="en",
    root=".md-content__inner",
    form="{}/",
    searched={
        "": _landing("Hive Notes"),
        "install/": _guide("Installation"),
        "visits/": _guide("Visits"),
        "settings/": _guide("Settings"),
        "extras/": _guide("Extras"),
        "tags/": _guide("Tags"),
        "changelog/": ("Changelog", "changelog", "en", ""),
        "reference/api/": ("Library", "api", "en", ""),
        "blog/": ("Blog", "blog", "en", ""),
        "blog/2026/05/03/swarms-in-may/": ("Swarms in May", "blog", "en", ""),
        "blog/archive/2026/": ("2026", "blog", "en", ""),
        "blog/category/seasons/": ("Seasons", "blog", "en", ""),
    },
    hidden={"404.html": "error page"},
    redirects=frozenset(("setup/", "old/options/", "weather/")),
    following={"": "install/", "install/": "visits/", "extras/": "reference/api/", "tags/": "changelog/"},
    questions={
        "How do I upgrade?": ("install/", "upgrade"),
        "What does reminder_days mean?": ("settings/", "options"),
        "Where do I back up the diary?": ("extras/", "back-up-the-diary"),
        "Estimate the honey of some frames": ("reference/api/", "hivenotes.weigh"),
        "What happens when a colony leaves?": ("blog/2026/05/03/swarms-in-may/", "swarms-in-may"),
        "How do I catch a swarm?": ("blog/2026/05/03/swarms-in-may/", "catch-the-swarm"),
    },
)

I18N: Final = Expected(
    base_url="https://hive.example.org/",
    generator="mkdocs-",
    language="en",
    root=".md-content__inner",
    form="{}/",
    searched={
        "": _landing("Hive Notes"),
        "install/": _guide("Installation"),
        "visits/": _guide("Visits"),
        "settings/": _guide("Settings"),
        "de/": _landing("Stockbuch", "de"),
        # Not translated: the English text stands in the German folder.
        "de/install/": _guide("Installation", "de"),
        "de/visits/": _guide("Visits", "de"),
        "de/settings/": _guide("Einstellungen", "de"),
        "ja/": _landing("巣箱ノート", "ja"),
        "ja/install/": _guide("Installation", "ja"),
        "ja/visits/": _guide("Visits", "ja"),
        "ja/settings/": _guide("設定", "ja"),
    },
    hidden={"404.html": "error page"},
    following={"": "install/", "de/": "de/install/", "ja/visits/": "ja/settings/"},
    questions={
        "How do I upgrade?": ("install/", "upgrade"),
        "How is the diary encrypted?": ("settings/", "encryption"),
        "Wie wird das Tagebuch verschlüsselt?": ("de/settings/", "verschlusselung"),
        "日記を暗号化するには？": ("ja/settings/", "_3"),
        "巣箱ノートとは何ですか？": ("ja/", "_1"),
    },
)

MIKE: Final = Expected(
    base_url="https://hive.example.org/notes/",
    generator="mkdocs-",
    language="en",
    root=".md-content__inner",
    form="2.1/{}/",
    searched={
        f"{version}/{page}": (title, kind, "en", version)
        for version in ("1.0", "2.1")
        for page, (title, kind) in {
            "": ("Hive Notes", "landing"),
            "install/": ("Installation", "guide"),
            "visits/": ("Visits", "guide"),
            "settings/": ("Settings", "guide"),
        }.items()
    },
    hidden={"1.0/404.html": "error page", "2.1/404.html": "error page"},
    redirects=frozenset(
        ("", "latest/", "latest/install/", "latest/visits/", "latest/settings/", "latest/404.html"),
    ),
    following={"1.0/": "1.0/install/", "2.1/": "2.1/install/"},
    questions={
        "What does reminder_days mean? @latest/settings/": ("2.1/settings/", "options"),
        "What does reminder_days mean? @1.0/settings/": ("1.0/settings/", "options"),
        "How do I upgrade? @latest/": ("2.1/install/", "upgrade"),
        "How do I upgrade? @1.0/visits/": ("1.0/install/", "upgrade"),
        "How do I record a visit? @2.1/": ("2.1/visits/", "record-a-visit"),
    },
)

PROPERDOCS: Final = Expected(
    base_url="https://hive.example.org/proper/",
    generator="properdocs-",
    language="en",
    root="[role=main]",
    form="{}.html",
    searched={
        "index.html": _landing("Hive Notes"),
        "install.html": _guide("Installation"),
        "visits.html": _guide("Visits"),
        "settings.html": _guide("Settings"),
    },
    hidden={"404.html": "error page"},
    following={"index.html": "install.html", "visits.html": "settings.html"},
    questions={
        "How do I upgrade?": ("install.html", "upgrade"),
        "How do I record a visit?": ("visits.html", "record-a-visit"),
        "What does reminder_days mean?": ("settings.html", "options"),
        "How is the diary encrypted?": ("settings.html", "encryption"),
        "Where does the temperature come from?": ("visits.html", "record-the-weather"),
    },
)

ZENSICAL: Final = Expected(
    base_url="https://hive.example.org/zen/",
    generator="zensical-",
    language="en",
    root=".md-content__inner",
    form="{}/",
    searched={
        "": _landing("Hive Notes"),
        "install/": _guide("Installation"),
        "visits/": _guide("Visits"),
        "settings/": _guide("Settings"),
        "extras/": _guide("Extras"),
    },
    hidden={"404.html": "error page"},
    following={"": "install/", "settings/": "extras/"},
    questions={
        "How do I upgrade?": ("install/", "upgrade"),
        "How do I record a visit?": ("visits/", "record-a-visit"),
        "What does reminder_days mean?": ("settings/", "options"),
        "Where do I back up the diary?": ("extras/", "back-up-the-diary"),
        "How do I share with a neighbour?": ("extras/", "share-with-a-neighbour"),
    },
)

FURO: Final = Expected(
    base_url="https://hive.example.org/sphinx/",
    generator="Sphinx ",
    language="en",
    root="#furo-main-content",
    form="{}.html",
    searched={
        "index.html": _landing("Hive Notes", version="2.1.3"),
        "install.html": _guide("Installation", version="2.1.3"),
        "visits.html": _guide("Visits", version="2.1.3"),
        "settings.html": _guide("Settings", version="2.1.3"),
        "glossary.html": _guide("Glossary", version="2.1.3"),
        "library.html": ("Library", "api", "en", "2.1.3"),
    },
    hidden={
        "genindex.html": "generated page",
        "py-modindex.html": "generated page",
        "search.html": "noindex",
        "_modules/index.html": "source code",
        "_modules/hivenotes.html": "source code",
    },
    following={"index.html": "install.html", "settings.html": "library.html"},
    questions={
        "How do I upgrade?": ("install.html", "upgrade"),
        "How do I record a visit?": ("visits.html", "record-a-visit"),
        "How is the diary encrypted?": ("settings.html", "encryption"),
        "What is a nuc?": ("glossary.html", "term-nuc"),
        "How do I export the visits as CSV?": ("library.html", "hivenotes.Diary.export_csv"),
        "Estimate the honey of some frames": ("library.html", "hivenotes.weigh"),
    },
)

VITEPRESS: Final = Expected(
    # It writes no canonical links.
    base_url=None,
    generator="VitePress ",
    language="en-US",
    root=".vp-doc",
    form="{}",
    searched={
        "": _landing("Hive Notes", "en-US"),
        "install": _guide("Installation", "en-US"),
        "visits": _guide("Visits", "en-US"),
        "settings": _guide("Settings", "en-US"),
        "extras": _guide("Extras", "en-US"),
        "fr/": _landing("Carnet de rucher", "fr-FR"),
        "fr/settings": _guide("Réglages", "fr-FR"),
    },
    hidden={"404": "error page"},
    following={"install": "visits", "settings": "extras"},
    questions={
        "How do I upgrade?": ("install", "upgrade"),
        "How do I record a visit?": ("visits", "record-a-visit"),
        "What does reminder_days mean?": ("settings", "options"),
        "Where do I back up the diary?": ("extras", "backup"),
        "Quelle phrase secrète est demandée au démarrage ?": ("fr/settings", "chiffrement"),
        "Quelle phrase secrete est demandee au demarrage ? @fr/": ("fr/settings", "chiffrement"),
    },
)

EXPECTED: Final = {
    "material": MATERIAL,
    "i18n": I18N,
    "mike": MIKE,
    "properdocs": PROPERDOCS,
    "zensical": ZENSICAL,
    "furo": FURO,
    "vitepress": VITEPRESS,
}
"""By the name of the site."""

SAME_EVERYWHERE: Final = {
    "install": [
        "Hive Notes needs Python 3.11 or newer and 40 MB of disk space. It has no other dependencies.",
        "Install the program into an environment of its own:",
        "pipx install hive-notes",
        "An upgrade keeps the diary. Run `pipx upgrade hive-notes`, then `hive migrate` to bring the file to the new "
        "layout.",
        "`pipx uninstall hive-notes` removes the program. The diary stays where it is until you delete the file "
        "`diary.sqlite`.",
    ],
    "settings": [
        "Settings are read from `hive.toml` in the folder of the diary.",
        "| Option | Default | Meaning |\n| --- | --- | --- |\n"
        "| `units` | `metric` | Kilograms and degrees Celsius, or `imperial`. |\n"
        "| `station` | none | Identifier of the weather station that is asked. |\n"
        "| `reminder_days` | `10` | Days after which a hive without a visit is reminded of. |",
        "`HIVE_DIARY` names another file for the diary. It goes before what `hive.toml` says.",
        "Set `encrypt = true` and the diary is encrypted with a passphrase that is asked for at every start.",
    ],
}
"""The texts of pages that are in every site: whatever stands around them, this and nothing else is read."""
