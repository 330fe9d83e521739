"""The names of HTML elements. `<name>` of any other name is a placeholder that an author wrote: `<file>`, `<key>`."""

from __future__ import annotations

# https://html.spec.whatwg.org/multipage/indices.html#elements-3, the obsolete ones, and those of SVG and MathML that
# begin a foreign fragment.
ELEMENTS = frozenset(
    "a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink blockquote "
    "body br button canvas caption center cite code col colgroup command content data datalist dd del details dfn "
    "dialog dir div dl dt element em embed fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 "
    "h5 h6 head header hgroup hr html i iframe image img input ins isindex kbd keygen label legend li link "
    "listing main map mark marquee math menu menuitem meta meter multicol nav nextid nobr noembed noframes "
    "noscript object ol optgroup option output p param picture plaintext portal pre progress q rb rp rt rtc ruby "
    "s samp script search section select shadow slot small source spacer span strike strong style sub summary sup "
    "svg table tbody td template textarea tfoot th thead time title tr track tt u ul use var video wbr xmp".split()
)
