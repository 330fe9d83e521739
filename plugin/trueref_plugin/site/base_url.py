"""The base URL of a site and the addresses of its pages, as far as its own canonical links tell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from urllib.parse import unquote, urlsplit

from trueref_core.addresses import page_of_file


def find_base_url(canonicals: Iterable[tuple[str, str]]) -> str | None:
    """The base URL that the canonical links of most pages agree on, with a slash at the end; None without such links.

    Args:
        canonicals: File and canonical link of each page.
    """
    # Most pages decide, not all: one page may name the page of another site as its canonical one.
    counts = Counter(base for file, canonical in canonicals if (base := _base_of(file, canonical)))
    return counts.most_common(1)[0][0] if counts else None


def shown_page(file: str, canonical: str, base_url: str | None, *, has_suffix: bool = True) -> str:
    """The address under which a page is shown: its canonical link, if that is another form of its own file.

    Args:
        file: Its file, relative to the site.
        canonical: Its canonical link, "" if it has none.
        base_url: Absolute address of the site's root, or None.
        has_suffix: Whether the addresses of a site without canonical links end with `.html`.
    """
    if base_url and canonical.startswith(base_url):
        address = unquote(canonical[len(base_url) :])
        # A canonical link to another page (an older version names the current one) is not the address of this page.
        if address in _forms(file):
            return address
    return page_of_file(file, html_suffix=has_suffix)


def shown_pages(pages: Iterable[tuple[str, str, bool]], base_url: str | None) -> dict[str, str]:
    """By file, the address under which its page is shown. Files that claim the same one get those of their own files.

    Args:
        pages: File and canonical link of each page, and whether addresses without a canonical link end with `.html`.
        base_url: Where the site stands, or None.
    """
    files: dict[str, list[str]] = {}
    for file, canonical, has_suffix in pages:
        files.setdefault(shown_page(file, canonical, base_url, has_suffix=has_suffix), []).append(file)
    addresses: dict[str, str] = {}
    for page, claiming in files.items():
        addresses |= {file: page if len(claiming) == 1 else page_of_file(file) for file in claiming}
    return addresses


def other_forms(file: str, page: str) -> tuple[str, ...]:
    """The other addresses under which static hosts show the file of a page."""
    forms = {file, page_of_file(file), page_of_file(file, html_suffix=False)}
    if file.endswith("/index.html"):
        forms.add(file[: -len("/index.html")])
    return tuple(sorted(forms - {page, ""}))


def _base_of(file: str, canonical: str) -> str | None:
    """The base URL that follows from the canonical link of one page, None if none does."""
    if not canonical.startswith(("http://", "https://")) or _is_here(canonical):
        return None
    address = unquote(canonical)
    for form in _forms(file):
        if address.endswith("/" + form):
            # Cut off as written, not as decoded: the base may hold encoded characters itself. Ends are tried from the
            # shortest on. The right one may be longer than `form`: an encoded character takes three.
            cuts = range(len(canonical) - len(form), -1, -1)
            base = canonical[: next(cut for cut in cuts if unquote(canonical[cut:]) == form)]
            return base if base.endswith("/") else None
    return None


def _is_here(canonical: str) -> bool:
    """Whether an address is one of this machine."""
    # A preview writes its own address, which leads nowhere on any other machine.
    try:
        return urlsplit(canonical).hostname in ("localhost", "127.0.0.1", "::1")
    except ValueError:
        return True


def _forms(file: str) -> list[str]:
    """Addresses of a file, the longest first: with `index.html`, with a slash, with and without `.html`."""
    forms = {file, page_of_file(file), page_of_file(file, html_suffix=False), page_of_file(file).rstrip("/")}
    return sorted(forms, key=len, reverse=True)
