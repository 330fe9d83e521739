"""The JSON Schema of the published manifest, made from the types that write it."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from trueref_core.manifest.codec import AnchorRow, ManifestFile
from trueref_core.version import MANIFEST_VERSION

Json = dict[str, Any]

REFERENCE: Final = "#/$defs/{name}"
DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
# A name and not an address, since the schema belongs to every site's manifest, whoever hosts it.
IDENTITY: Final = f"urn:trueref:manifest:{MANIFEST_VERSION}"

DESCRIPTIONS: Final[dict[str, dict[str, str]]] = {
    "ManifestFile": {
        "schema": "Version of this form. A reader refuses every other number.",
        "generation": "The state of the index that this was made from: a digest of content and options.",
        "sites": "The sites, in the order of their names.",
        "pages": "The pages with their anchors, in the order of site and page.",
        "history": "Pages and anchors that earlier builds had, and where they are now, the longest gone first.",
    },
    "Site": {
        "name": "Name of the site: part of the key of each of its pages.",
        "base_url": "Absolute address of the root, with a slash at the end; null if it is not known.",
        "version": "Version of the documentation.",
        "language": "Language that most pages name.",
        "generator": "Generator that most pages name.",
        "digest": "Digest of the pages and anchors.",
    },
    "PageRow": {
        "page": "What is known of the page.",
        "anchors": "Every id and `a[name]` of the page, in document order.",
    },
    "Page": {
        "site": "Name of the site.",
        "page": "Address relative to the root of the site, decoded, as the browser shows it; empty for the root.",
        "file": "File relative to the site folder, with forward slashes.",
        "title": "Title of the page.",
        "description": "Description of the page, from its head.",
        "kind": "Kind of page. A redirect only leads to another page.",
        "kind_evidence": "The rule that decided the kind.",
        "language": "Language of the page.",
        "version": "Version of the documentation that the page belongs to.",
        "source_path": "Source file relative to the folder of the sources, if the build gave it.",
        "aliases": "Other addresses of the page, relative to the site: redirects, slash forms, `index.html`.",
        "hidden": "Whether the page is left out of searches. Published manifests have no such page.",
        "hidden_by": "What hid it.",
        "draft": "Whether the page is a draft. Published manifests have no such page.",
        "alias_anchors": "Aliases that lead to a place on the page, as `alias#anchor`.",
        "told": "Names of the fields that come from the build and not from the page.",
        "content_hash": "Digest of cleaned text, ids and metadata, without navigation.",
        "centrality": "How central the page is among the links of the site, 0 to 1.",
        "weight": "What the owner of the site adds to the scores of the page in searches, -1 to 1.",
    },
    "Entry": {
        "site": "Name of the site.",
        "page": "Address of a page of an earlier build.",
        "anchor": "An anchor on it that is gone, empty if the page itself is gone.",
        "to_page": "Address of the page where it is now, null if nothing proves one.",
        "to_anchor": "The anchor where it is now, empty for the page itself.",
        "proof": "What proves it, in words.",
        "hidden": "Whether the place was hidden. Published manifests have no such entry.",
    },
    "AnchorRow": {
        "anchor": "The id exactly as in the HTML, not encoded. Browsers compare it by code point.",
        "kind": "Kind of anchor. Heading, object, term, row and tab are places that a reader may be sent to.",
        "level": "1 to 6 for headings, 0 otherwise.",
        "text": "Text of the heading, the term or the signature.",
        "breadcrumb": "Texts of the enclosing headings, outermost first.",
        "parent": "The enclosing cited anchor, empty for the page.",
        "duplicate": "Whether an earlier element of the page has this id: links lead there.",
        "role": "Kind of a documented object, as Sphinx names it, such as `py:class`; empty if it is not known.",
        "body": "Digest of the text up to the next heading; empty if too short to tell sections apart.",
    },
}
"""The description of each field, by type. A test checks that none is missing."""


def manifest_schema() -> Json:
    """The schema of `manifest.json` as Trueref publishes it."""
    (root, anchor), components = msgspec.json.schema_components([ManifestFile, AnchorRow], ref_template=REFERENCE)
    # In the code the anchors are raw bytes; in the file they are an array.
    components["PageRow"]["properties"]["anchors"] = {"type": "array", "items": anchor}
    definitions = {name: _described(name, schema) for name, schema in sorted(components.items())}
    definitions["ManifestFile"]["properties"]["schema"] |= {"const": MANIFEST_VERSION}
    return {
        "$schema": DIALECT,
        "$id": IDENTITY,
        "title": "Manifest of a documentation site",
        "description": "The pages of a built documentation site and every anchor on them, as Trueref publishes them.",
        **root,
        "$defs": definitions,
    }


def _described(name: str, schema: Json) -> Json:
    """The schema of a type with the descriptions of its fields."""
    # msgspec's description is the docstring of the type, which is written for readers of the code.
    described = {key: value for key, value in schema.items() if key != "description"}
    texts = DESCRIPTIONS.get(name, {})
    for field, value in described.get("properties", {}).items():
        value |= {"description": texts[field]} if field in texts else {}
    return described
