"""What documented objects are, by the frames of mkdocstrings and Sphinx."""

from __future__ import annotations

import pytest
from tests.plugin.pages import anchors

MKDOCSTRINGS = '<div class="doc doc-object doc-{kind}"><h3 id="pkg.x" class="doc doc-heading"><code>x</code></h3></div>'
SPHINX = '<dl class="{classes}"><dt class="sig sig-object py" id="pkg.x"><span class="sig-name descname">x</span></dt><dd></dd></dl>'


@pytest.mark.parametrize(
    ("body", "role"),
    [
        (MKDOCSTRINGS.format(kind="module"), "py:module"),
        (MKDOCSTRINGS.format(kind="class"), "py:class"),
        (MKDOCSTRINGS.format(kind="function"), "py:function"),
        (MKDOCSTRINGS.format(kind="attribute"), "py:attribute"),
        (MKDOCSTRINGS.format(kind="type_alias"), "py:type"),
        (MKDOCSTRINGS.format(kind="recipe"), ""),
        (
            '<ul><li><h4 id="pkg.x" class="doc doc-heading doc-heading-parameter"><b><code>x</code></b></h4></li></ul>',
            "py:parameter",
        ),
        (
            '<table><tr><td><h4 id="pkg.x" class="doc doc-heading doc-heading-type_parameter">T</h4></td></tr></table>',
            "py:typeparameter",
        ),
        (SPHINX.format(classes="py method"), "py:method"),
        (SPHINX.format(classes="py property"), "py:property"),
        # Another language, and Sphinx before version 4, which names none.
        (SPHINX.format(classes="cpp class"), ""),
        (SPHINX.format(classes="class"), ""),
        ('<h3 id="pkg.x" class="doc doc-heading">x</h3>', ""),
        ('<div class="doc doc-object doc-class"><h3 id="pkg.x">x</h3></div>', ""),
    ],
)
def test_an_object_has_the_role_that_its_markup_names(body: str, role: str) -> None:
    assert anchors(f"<h1>API</h1>{body}")["pkg.x"].role == role
