"""Syntax that a renderer may take for a link where another sees text, for the hostile model of `hostile.py`.

`{w}` is a word and `{t}` an address. Brackets within brackets, definitions over several lines, runs of backticks of other
lengths, citations against links, addresses with entities, blanks and letters that nobody sees, and hosts in other scripts.
"""

from __future__ import annotations

FURTHER_TARGETS = (
    "HTTPS://EVIL.NET/", "hTTp:\\\\evil.net", "https://xn--80ak6aa92e.com/",
    "https://\u0430\u0440\u0440\u04cf\u0435.com/", "//\u0430\u0440\u0440\u04cf\u0435.com", "https\uff1a//evil.net",
    "ht\ntps://evil.net", "jav\tascript:alert(1)", "java\u200bscript:alert(1)",
    "https://docs.example.org/demo/install/\u202e#with-pip", "https://docs.example.org/demo/../evil",
    "https://docs.example.org/demo/%2e%2e/evil", "https://docs.example.org\\@evil.net/demo/install/",
    "https://docs.example.org:443/demo/install/", "https://docs.example.org/demo/install/?x=1#with-pip",
    "&#x6a;avascript:alert(1)", "https&#58;//evil.net", "&lt;https://evil.net&gt;",
    "data:text/html;base64,PHNjcmlwdD4=", "blob:https://evil.net/1", "file:///etc/passwd", "tel:+1", "sms:1",
    "intent://x", "about:blank", "view-source:https://evil.net", "https://evil.net/%", "https://[evil.net]/",
    "https://evil.net:99999/", "https://1.1", "http://0x7f.1/", "https://evil\u3002net/", "evil.net",
    "evil.net/path", "ftp.evil.net", "a@evil.net", "<a@evil.net>", "xmpp:a@b",
    "www.\u0430\u0440\u0440\u04cf\u0435.com", "install/#with-pip&quot;onclick=x",
    "install/#with-pip\" onclick=\"x", "install/ 'a' 'b'", "<install/ x>", "<install/#with-pip>x", "install/(a)",
    "((install/))", "install/#with-pip)(x",
)  # fmt: skip
FURTHER_SHAPES = (
    "[[{w}]]({t})", "[{w}]]({t})", "[[{w}]({t})", "[{w}]({t}))", "[{w}](({t}))", "[{w}]( {t} )",
    "[{w}]( <{t}> '{w}' )", "[{w}]\n({t})", "[{w}] ({t})", "[{w}] [{w}]", "[{w}]\n[{w}]", "\n[{w}]:\n{t}\n",
    "\n[{w}]:\n  <{t}>\n  \"{w}\"\n", "\n> [{w}]: {t}\n", "\n- [{w}]: {t}\n", "\n   [{w}]:\t{t}\n",
    "\n[{w}\n{w}]: {t}\n", "[^{w}]", "\n[^{w}]: see {t}\n    more {t}\n", "\n\n{w}\n: {t}\n", "{t}\n===\n",
    "[{w}]({t})\n---\n", "\n---\n{t}\n---\n", "``{w}` [{w}]({t})``", "```{w}`` [{w}]({t})```", "` `` ` [{w}]({t})",
    "``` [{w}]({t})", "\n``` [{w}]({t}) ```\n", "\n````\n```\n[{w}]({t})\n````\n[{w}]({t})",
    "\n~~~`\n[{w}]({t})\n~~~\n", "\n```\n[{w}]({t})\n```x\n[{w}]({t})\n```\n", "[1][{w}]({t})", "[1]{t}", "{t}[1]",
    "[{w}]({t})[1]", "[1]({t})[2]", "[[1]({t})](x)", "[{w}[1]]({t})", "\u30101\u3011({t})",
    "\u30101\u2020{w}\u3011({t})", "[1]: {t}", "[1]:{t}\n\n[{w}][1]", "[2]: {t}\n[2]", "\u202e[{w}]({t})\u202c",
    "[{w}](\u200b{t})", "[{w}]({t}\u200b)", "[{w}]\u200b({t})", "[{w}]\u2060({t})", "[{w}\u00ad]({t})",
    "&#91;{w}&#93;&#40;{t}&#41;", "[{w}&rbrack;({t})", "&lt;a href={t}&gt;", "\\<a href={t}>", "<a/href={t}>",
    "<a\fhref={t}>", "<svg/onload=alert(1)>", "<math><a xlink:href={t}>", "<iframe srcdoc='{t}'>", "<a href='x'",
    "<A HREF={t}", "</a href={t}>", "<?php {t} ?>", "<![CDATA[ <a href={t}> ]]>", "<!DOCTYPE {t}>", "<{t}",
    "< {t} >", "<mailto:a@evil.net>", "<\u200b{t}>", "![{w}]({t} =100x100)", "!\u200b[{w}]({t})", "!![{w}]({t})",
    "![[{w}]]({t})", "![{w}]\n({t})", "[![{w}]][{w}]", "{{% link {t} %}}", "[[{t}|{w}]]", "[[{t}]]",
    "{{{{ {t} }}}}", "+++\n{t}\n+++", "\\({t}\\)", "$${t}$$", "*[HTML]: {t}\nHTML",
    "{w}\n{{: #x .y href=\"{t}\" }}", "| [{w}]({t}) | `a | b` |\n|--|--|\n| {t} | <{t}> |\n",
    "|{w}|\n|-|\n|[{w}|{w}]({t})|\n", "1) [{w}]({t})\n", "\n\t[{w}]({t})\n", "\n>\t[{w}]({t})",
    "\n- [ ] [{w}]({t})", "\n    - [{w}]({t})\n", "~~[{w}]({t})~~", "==[{w}]({t})==", "^[{w}]({t})", "^^{t}^^",
    "~{t}~", "\"{t}\"", "'{t}'", "\u00ab{t}\u00bb", "({t}", "{t})", "[{t}]", "[{t}]({t})", "[{t}][{t}]", "`{t}",
    "{t}`", "{t}\\", "\\{t}", "{t}<b>", "<b>{t}</b>", "h<b></b>ttps://evil.net", "[h](#)ttps://evil.net",
    "https:[](x)//evil.net", "ht![x](y)tps://evil.net", "w[1]ww.evil.net", "www.[1]evil.net",
    "https://[7]evil.net", "a@[9]evil.net", "{t}?x=[1]", "https://docs.example.org[1]/demo/nowhere/",
    "[{w}]({t}){{href={t}}}", "[1]{{: href={t} }}", "{{: href={t} }}[1]", "\r[{w}]: {t}\r", "[{w}]({t}\r)",
    "\u000b[{w}]({t})", "\u0085[{w}]: {t}\u0085", "\u2028[{w}]: {t}\u2028",
)  # fmt: skip
