// The paragraphs, items, rows and code of the section that an anchor leads to, as Chromium has them: the text whose
// nearest enclosing heading with an id is the one with that id (or the one right behind an empty element with it). A
// term or a row is its own section. A footnote is of the section that refers to it, wherever it stands on the page. null
// where the anchor is not on the page.
([html, anchor]) => {
  const BLOCKS =
    "p,li,dt,dd,th,td,pre,summary,figcaption,caption,blockquote,div,section,article,main,body,details,figure,table," +
    "ul,ol,dl,header,footer,aside,nav,label,h1,h2,h3,h4,h5,h6";
  // What no reader would call text of the section, permalinks and the marks of footnotes say.
  const NO_TEXT =
    "script,style,template,title,button,svg,.headerlink,.linenos,.lineno,.footnote-ref,.footnote-backref," +
    ".md-content__button,.md-tags,.md-source-file,.md-feedback,.md-annotation__index";
  const MARK = ".footnote-ref";
  // A badge is a sign beside the text, unless it stands in a sentence: behind a word of it, and before one or its sign.
  const isBadge = node => {
    const badge = node.parentElement.closest(".mdx-badge");
    return badge && !(/[\p{L}\d]\s*$/u.test(badge.previousSibling?.data ?? "") && /^\s*[\p{L}\d,.;?!)]/u.test(badge.nextSibling?.data ?? ""));
  };
  const isBehindMark = node => Boolean(node.previousSibling?.matches?.(`${MARK}, :has(${MARK})`));
  const levelOf = node => /^H[1-6]$/.test(node.nodeName) ? Number(node.nodeName[1]) : 0;

  const parsed = new DOMParser().parseFromString(html, "text/html");
  const target = anchor ? parsed.getElementById(anchor) ?? parsed.querySelector(`a[name="${CSS.escape(anchor)}"]`) : null;
  if (anchor && !target) return null;
  const root = target?.closest("article") ?? parsed.querySelector("article") ?? parsed.querySelector("main") ?? parsed.body;
  const row = target?.closest("tr"), term = target?.closest("dt");
  const follows = node => Boolean(target.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING);
  const start = row ?? term ?? (target && [...root.querySelectorAll("h1,h2,h3,h4,h5,h6")]
    .find(node => node === target || node.contains(target) || follows(node)));

  const walker = parsed.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  const nodes = [];
  // The levels of the headings with ids around the text that is met; the section itself is the first.
  const around = [start ? levelOf(start) : 0];
  let inside = !target;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node === start) {
      inside = true;
      if (row) nodes.push(row);
    } else if (inside && !start?.contains(node)) {
      const level = levelOf(node);
      if (row || (term && (level || node.nodeName === "DT"))) break;
      while (level && around.at(-1) >= level) around.pop();
      if (around.length === 0) break;
      if (level && node.id) around.push(level);
      else if (around.length === 1 && !node.parentElement.closest(".footnote")) nodes.push(node);
    }
  }
  const marks = [start, ...nodes].filter(node => node?.nodeType === Node.ELEMENT_NODE)
    .flatMap(node => node === start || node.nodeName === "TR" ? [...node.querySelectorAll(MARK)] : node.matches(MARK) ? [node] : []);
  for (const mark of marks) {
    const note = parsed.getElementById(decodeURIComponent(mark.getAttribute("href").slice(1)));
    const inner = parsed.createTreeWalker(note, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    while (inner.nextNode()) nodes.push(inner.currentNode);
  }

  const places = [];
  let last = null;
  for (const node of nodes) {
    if (node.nodeName === "TR") {
      places.push({kind: "row", text: [...node.cells].map(cell => cell.textContent).join("\n")});
      last = node;
    } else if (node.nodeName === "BR" && last) {
      places.at(-1).text += "\n";
    } else if (node.nodeType === Node.TEXT_NODE && !node.parentElement.closest(NO_TEXT) && !isBadge(node)) {
      const block = node.parentElement.closest("pre") ?? node.parentElement.closest(BLOCKS);
      if (block !== last && !node.data.trim()) continue;
      if (block !== last) places.push({kind: block.nodeName === "PRE" ? "code" : "text", text: ""});
      // Behind a mark that is no text, a stop stands at the word before it.
      if (isBehindMark(node) && /^[.,;:!?)\]]/.test(node.data)) places.at(-1).text = places.at(-1).text.trimEnd();
      places.at(-1).text += node.data;
      last = block;
    }
  }
  return places;
}
