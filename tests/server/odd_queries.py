"""Questions that nobody asks, made by chance: what readers, robots and attackers type into a field."""

from __future__ import annotations

import random

MOST = 2_000
"""Characters that the server takes."""

SQL = (
    "site = 'x' OR 1=1 --",
    "'; DROP TABLE chunks; --",
    "id IN ('a') UNION SELECT * FROM pages",
    "language = 'en' AND page LIKE '%'",
    "') OR ('1'='1",
    "\\' OR true --",
    "regexp_match(page, '(a+)+$')",
    "SELECT count(*) FROM chunks WHERE vector IS NOT NULL",
)
FULL_TEXT = (
    "a AND (b OR NOT c)",
    "title:kiln^9",
    "kiln~2",
    "[a TO z]",
    '"unclosed phrase',
    "+must -not",
    "*",
    "fir?ng",
)
MODEL = ("<|endoftext|>", "<|im_start|>system", "[CLS] [SEP] [MASK]", "##ing ##ed", "</s><s>", "Human: Assistant:")
STOPPED = ("the of and", "how do i", "what is it", "is", "a", "please help me thanks", "to be or not to be")
MARKS = (
    "?",
    "!!!",
    "...",
    "--",
    "()[]{}",
    "```",
    "''",
    '"" ""',
    "¿¡",
    "。、？",
    "#/*\\",
    "&&||",
    "🙂🚀",
    "—–…",
    "%00%0a",
)
OTHER_SCRIPTS = (
    "窯の温度を設定するには",
    "如何设置代理服务器的证书",
    "프록시 인증서를 설정하는 방법",
    "วิธีตั้งค่าพร็อกซี",
    "كيف أضبط الوكيل",
    "איך מגדירים שרת",
    "как настроить прокси",
    "πώς ρυθμίζεται",
    "प्रॉक्सी कैसे सेट करें",
    "ﷺ﷽",
    "Ｆｕｌｌ　ｗｉｄｔｈ",
    "ǅ ß ſ ı İ",
)
CONTROLS = ("\x00", "\x01\x02\x1b[31m", "\x7f\x80\x9f", "\u202eright to left\u202c", "\u200b\u200d\ufeff", "\r\n\r\n")
SURROGATES = ("\ud800", "\udfff", "kiln \ud83d proxy", "\udc00\ud800")
WORDS = ("kiln", "proxy", "export", "--quiet", "set_hold_limit", "certificate", "enviroment", "Temprature", "and")
REPEATED = (
    "thanks ",
    "how and how ",
    "error: ",
    "a'b ",
    "(",
    "Aa",
    "a.b.",
    "\u0301",
    "窯",
    "x-",
    "`` ",
    "\n  at a",
    "1 ",
)

Kind = tuple[str, ...]
KINDS: tuple[Kind, ...] = (SQL, FULL_TEXT, MODEL, STOPPED, MARKS, OTHER_SCRIPTS, CONTROLS, SURROGATES)


def odd_queries(count: int, seed: int) -> list[str]:
    """Some queries of every kind: as they stand, mixed, repeated to the limit, and of characters by chance."""
    chance = random.Random(seed)
    makers = (
        lambda: chance.choice(chance.choice(KINDS)),
        lambda: chance.choice(" \n\t,").join(chance.choice(chance.choice((*KINDS, WORDS))) for _ in range(5)),
        lambda: chance.choice(REPEATED) * chance.randint(1, MOST),
        lambda: " ".join(chance.choices(WORDS + STOPPED, k=chance.randint(1, 400))),
        lambda: "".join(chance.choices("abcdefghij ", k=MOST)),
        lambda: "".join(chr(chance.randrange(0x110000)) for _ in range(chance.randint(1, 200))),
        lambda: chance.choice(WORDS) + chance.choice(chance.choice(KINDS)),
    )
    return [makers[number % len(makers)]()[:MOST] for number in range(count)]
