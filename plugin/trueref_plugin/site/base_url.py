"""Finds the base URL of a site and the addresses of its pages, from the canonical links in its pages.

Without such links, the addresses of scripts and style sheets still show the path that the site is published under.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable
from typing import Final
from urllib.parse import quote, unquote, urlsplit

from trueref_core.addresses import page_of_file

UNKNOWN_HOST: Final = "http://unknown.invalid"
"""Stands for the host of a site of which only the path is known. No host may have this name: RFC 2606."""


def find_base_path(assets: Iterable[str], files: Container[str]) -> str | None:
    """The path that a site is published under, with a slash at both ends; None if its pages do not show it.

    VitePress with `base`, Docusaurus, Astro and others begin the addresses of all files with this path. In the folder
    of the site, the file has its name without it: `/docs/assets/app.js` is `assets/app.js`.

    Args:
        assets: Addresses of files that pages load, as written. Only those that begin with a slash count.
        files: The files of the site, relative to its folder.
    """
    counts = Counter(path for asset in assets if (path := _base_path_of(asset, files)))
    path, count = counts.most_common(1)[0] if counts else (None, 0)
    # A page that was copied from another site may show the path of that site.
    return path if 2 * count > counts.total() else None


def address_at(base_path: str | None) -> str | None:
    """A base URL with this path on an unknown host; None for the root, whose links can be read without one."""
    return f"{UNKNOWN_HOST}{quote(base_path)}" if base_path and base_path != "/" else None


def find_base_url(canonicals: Iterable[tuple[str, str]]) -> str | None:
    """The base URL that follows from the canonical links of most pages, with a slash at the end; None if none follows.

    Args:
        canonicals: (file, canonical link) of each page.
    """
    # The pages need not all agree: the canonical link of a page may lead to another site.
    counts = Counter(base for file, canonical in canonicals if (base := _base_of(file, canonical)))
    return counts.most_common(1)[0][0] if counts else None


def shown_page(file: str, canonical: str, base_url: str | None, *, has_suffix: bool = True) -> str:
    """The address of a page, relative to the site: its canonical link, if that is an address of its own file.

    Args:
        file: The file of the page, relative to the site.
        canonical: The canonical link of the page, "" if it has none.
        base_url: Absolute address of the site's root, or None.
        has_suffix: Whether the address ends with `.html` if no canonical link gives it.
    """
    if base_url and canonical.startswith(base_url):
        address = unquote(canonical[len(base_url) :])
        # The canonical link may lead to another page, as a page of an old version names the current one.
        if address in _forms(file):
            return address
    return page_of_file(file, html_suffix=has_suffix)


def shown_pages(pages: Iterable[tuple[str, str, bool]], base_url: str | None) -> dict[str, str]:
    """By file: the address of its page. If several files would get the same address, each gets that of its file name.

    Args:
        pages: (file, canonical link, `has_suffix`) of each page, as in `shown_page`.
        base_url: Absolute address of the site's root, or None.
    """
    files: dict[str, list[str]] = {}
    for file, canonical, has_suffix in pages:
        files.setdefault(shown_page(file, canonical, base_url, has_suffix=has_suffix), []).append(file)
    addresses: dict[str, str] = {}
    for page, claimants in files.items():
        addresses |= {file: page if len(claimants) == 1 else page_of_file(file) for file in claimants}
    return addresses


def other_forms(file: str, page: str) -> tuple[str, ...]:
    """The other addresses under which static hosts serve the file of a page."""
    forms = {file, page_of_file(file), page_of_file(file, html_suffix=False)}
    if file.endswith("/index.html"):
        forms.add(file[: -len("/index.html")])
    # Only `index.html` is shown at the root: a file `.html` would have its address without the suffix there.
    no_forms = {page} if file == "index.html" else {page, ""}
    return tuple(sorted(forms - no_forms))


def _base_path_of(asset: str, files: Container[str]) -> str | None:
    """What stands in an address before the name of a file of the site, None if it ends with no such name."""
    if not asset.startswith("/") or asset.startswith("//"):
        return None
    folders = unquote(asset.partition("#")[0].partition("?")[0])[1:].split("/")
    cut = next((cut for cut in range(len(folders)) if "/".join(folders[cut:]) in files), None)
    return None if cut is None else "".join(f"/{folder}" for folder in folders[:cut]) + "/"


def _base_of(file: str, canonical: str) -> str | None:
    """The base URL that follows from the canonical link of one page, None if the link does not fit its file."""
    if not canonical.startswith(("http://", "https://")) or _is_local(canonical):
        return None
    address = unquote(canonical)
    for form in _forms(file):
        if address.endswith("/" + form):
            # The base is cut from the link as written, because it may have encoded characters itself. The end to cut
            # off may be longer than `form`: an encoded character takes three. So longer and longer ends are tried.
            cuts = range(len(canonical) - len(form), -1, -1)
            base = canonical[: next(cut for cut in cuts if unquote(canonical[cut:]) == form)]
            return base if base.endswith("/") else None
    return None


def _is_local(canonical: str) -> bool:
    """Whether an address is on the local machine."""
    # A preview server writes its own address, which leads nowhere on other machines.
    try:
        return urlsplit(canonical).hostname in ("localhost", "127.0.0.1", "::1")
    except ValueError:
        return True


def _forms(file: str) -> list[str]:
    """All addresses of a file, the longest first: with `index.html`, with a slash, with and without `.html`."""
    forms = {file, page_of_file(file), page_of_file(file, html_suffix=False), page_of_file(file).rstrip("/")}
    return sorted(forms, key=len, reverse=True)
