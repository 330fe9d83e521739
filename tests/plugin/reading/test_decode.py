from __future__ import annotations

import codecs

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import EXAMPLES

from trueref_plugin.reading.guarding.decode import decode_page

LATIN = "<p>Größe".encode("latin-1")


@pytest.mark.parametrize(
    ("data", "text", "encoding"),
    [
        (b"", "", "utf-8"),
        ("<p>Größe".encode(), "<p>Größe", "utf-8"),
        (codecs.BOM_UTF8 + "<p>ö".encode(), "<p>ö", "utf-8"),
        (codecs.BOM_UTF16_LE + "<p>ö".encode("utf-16-le"), "<p>ö", "utf-16-le"),
        (codecs.BOM_UTF16_BE + "<p>ö".encode("utf-16-be"), "<p>ö", "utf-16-be"),
        # A mark decides, whatever the page says of itself.
        (codecs.BOM_UTF8 + b"<meta charset=latin-1>" + "ö".encode(), "<meta charset=latin-1>ö", "utf-8"),
        (b"<meta charset=iso-8859-1>" + LATIN, "<meta charset=iso-8859-1><p>Größe", "iso-8859-1"),
        (b"<META CHARSET = 'Shift_JIS'>" + "設".encode("shift-jis"), "<META CHARSET = 'Shift_JIS'>設", "shift_jis"),
        (
            b'<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">' + "да".encode("koi8-r"),
            '<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">да',
            "koi8-r",
        ),
        # A wrong or unknown name is passed over.
        (b"<meta charset=utf-8>" + LATIN, "<meta charset=utf-8><p>Größe", "windows-1252"),
        (b"<meta charset=nonsense>" + "ö".encode(), "<meta charset=nonsense>ö", "utf-8"),
        (LATIN, "<p>Größe", "windows-1252"),
        (b"<p>\x93quoted\x94 \x81", "<p>“quoted” \ufffd", "windows-1252"),
        # Only the first 1,024 bytes are looked at.
        (b" " * 1100 + b"<meta charset=latin-1>\xf6", " " * 1100 + "<meta charset=latin-1>ö", "windows-1252"),
        (codecs.BOM_UTF8 + b"a\xffb", "a\ufffdb", "utf-8"),
    ],
)
def test_a_page_is_decoded_as_a_browser_does(data: bytes, text: str, encoding: str) -> None:
    assert decode_page(data) == (text, encoding)


@pytest.mark.parametrize(
    "name", ["hex", "base64", "rot13", "zlib", "idna", "undefined", "unicode_escape", "utf-7", "raw_unicode_escape"]
)
def test_codecs_that_are_no_encodings_of_pages_are_passed_over(name: str) -> None:
    page = f"<meta charset={name}><p>a\\u0041+AEE-ö</p>".encode()
    assert decode_page(page) == (page.decode(), "utf-8")


@settings(max_examples=3 * EXAMPLES)
@given(st.binary(max_size=200) | st.binary(max_size=40).map(lambda data: b"<meta charset=utf-16>" + data))
def test_any_bytes_are_decoded_in_a_known_encoding(data: bytes) -> None:
    text, encoding = decode_page(data)
    assert isinstance(text, str)
    assert codecs.lookup(encoding)
