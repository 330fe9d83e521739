"""The contrast of WCAG 2, as Chromium paints it."""

from __future__ import annotations

from io import BytesIO

from PIL import Image

READABLE = 4.5
"""What WCAG 2 asks of text, level AA."""
SEEN = 3.0
"""What it asks of what tells a state, such as the ring of the focus."""

_TOOLS = """
  // One for the whole page: hundreds of canvases at once may be taken away, and then read as one colour.
  const canvas = (globalThis.contrastCanvas ??= new OffscreenCanvas(1, 1).getContext("2d", {willReadFrequently: true}));
  const pixel = colors => {
    canvas.clearRect(0, 0, 1, 1);
    for (const color of colors) { canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1); }
    const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
    if (alpha !== 255) throw new Error(`nothing was painted in ${colors}`);
    return [red, green, blue];
  };
  const luminance = rgb => {
    const [r, g, b] = rgb.map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (one, other) => {
    const [a, b] = [one, other].map(colors => luminance(pixel(colors)));
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  };
  const paints = from => {
    // What has left the page has no colours, and the canvas would go on with the one before: a contrast of 1.
    if (!from.isConnected) throw new Error(`${from.outerHTML} has left the page`);
    const under = [];
    // Out of the shadow root as well: what is half transparent shows the page.
    for (let at = from; at; at = at.parentElement ?? at.getRootNode().host)
      under.unshift(getComputedStyle(at).backgroundColor);
    const scheme = getComputedStyle(document.documentElement).colorScheme;
    return [scheme.startsWith("dark") ? "#121212" : "white", ...under];
  };
"""

CONTRAST = f"""it => {{{_TOOLS}
  const under = paints(it);
  return ratio([...under, getComputedStyle(it).color], under);
}}"""
"""Between an element's text and what lies under it."""

GROUND = f"""it => {{{_TOOLS}
  return ratio(paints(it), paints(it.parentElement ?? it.getRootNode().host));
}}"""
"""Between an element and what it stands on."""

POOR = f"""(chat, [names, least]) => {{
  const contrast = {CONTRAST};
  const isSeen = it => it.checkVisibility({{visibilityProperty: true}}) && it.getBoundingClientRect().width > 0;
  return names.flatMap(name => [...chat.shadowRoot.querySelectorAll("." + name)].filter(isSeen)
    .map(it => [name, it.outerHTML + getComputedStyle(it).color, contrast(it)])).filter(row => row[2] < least);
}}"""
"""The texts of the widget with too little contrast, by the names of their classes. All are found and measured in one step:
between two, the widget may draw a part again, and the one that was found has no colours any more."""

LEAST = f"""it => {{
  const contrast = {CONTRAST};
  const written = [it, ...it.querySelectorAll("*")].filter(node => node.checkVisibility({{visibilityProperty: true}}) &&
    (node.value || node.placeholder || [...node.childNodes].some(({{nodeType, data}}) => nodeType === 3 && data.trim())));
  return Math.min(...written.map(contrast), 21);
}}"""
"""The least contrast of any text of an element; 21 where it has none."""

RING = f"""it => {{{_TOOLS}
  const under = paints(document.body);
  const {{outlineColor, outlineStyle}} = getComputedStyle(it);
  return outlineStyle === "none" ? 1 : ratio([...under, outlineColor], under);
}}"""
"""Between the outline of an element that lies on the page, and the page."""


def luminance(pixel: tuple[int, ...]) -> float:
    """The relative luminance of WCAG 2."""
    red, green, blue = (v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in (c / 255 for c in pixel))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def strongest_change(before: bytes, after: bytes) -> float:
    """The greatest contrast between a pixel of a picture and the same pixel of another; 1 where all are the same."""
    colours = [iter(Image.open(BytesIO(picture)).convert("RGB").tobytes()) for picture in (before, after)]
    pairs = set(zip(*(zip(it, it, it, strict=True) for it in colours), strict=True))
    lit = [sorted(map(luminance, pair)) for pair in pairs]
    return max((bright + 0.05) / (dark + 0.05) for dark, bright in lit)


def strongest_contrast(picture: bytes) -> float:
    """The greatest contrast between two pixels of a picture; 1 where all are the same."""
    seen = Image.open(BytesIO(picture)).convert("RGB").tobytes()
    pixels = iter(seen)
    lit = sorted(map(luminance, set(zip(pixels, pixels, pixels, strict=True))))
    return (lit[-1] + 0.05) / (lit[0] + 0.05)
