from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trueref_core.errors import IndexDamaged
from trueref_core.texts import decode_texts, encode_texts

texts = st.dictionaries(st.tuples(st.text(), st.text()), st.text())


@given(texts)
def test_texts_come_back_as_they_were(given_texts: dict[tuple[str, str], str]) -> None:
    assert decode_texts(encode_texts(given_texts)) == given_texts


@given(texts)
def test_bytes_do_not_depend_on_order(given_texts: dict[tuple[str, str], str]) -> None:
    assert encode_texts(dict(reversed(given_texts.items()))) == encode_texts(given_texts)


@pytest.mark.parametrize("data", [b"", b"{}", b"[1]", b'[{"site": "docs"}]', b"\xff"])
def test_what_holds_no_texts_is_refused(data: bytes) -> None:
    with pytest.raises(IndexDamaged, match="Build it again"):
        decode_texts(data)
