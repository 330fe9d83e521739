import { TextLayer, type PDFDocumentProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import { button, h, sheet } from "../shared/dom";
import { fill, type Words } from "../shared/words";
import { openFile } from "./file";
import { drawPage } from "./page";
import { findPassage } from "./passage";
import css from "./pdf.css";
import { pdfWords, type PdfWords } from "./words";

/** A source in a PDF: the address of the file with the page in its fragment, its title, and the passage to be marked. */
export interface PdfSource {
  href: string;
  title: string;
  passage: string;
}

const ZOOM_STEP = 1.25;
const MIN_ZOOM = ZOOM_STEP ** -3;
const MAX_ZOOM = ZOOM_STEP ** 6;

/** A dialog that shows one page of a PDF, over the site's page that the reader is on. */
export class PdfViewer {
  readonly #title = h("h2", "pdf-title");
  readonly #file = h("a", "pdf-file");
  readonly #input = h("input", "pdf-number");
  readonly #count = h("span", "pdf-count");
  readonly #tools = h("div", "pdf-tools");
  readonly #view = h("div", "pdf-view");
  readonly #status = h("p", "status");
  readonly #previous: HTMLButtonElement;
  readonly #words: PdfWords;
  readonly #next: HTMLButtonElement;
  readonly #dialog: HTMLDialogElement;
  /** Aborted when the file is closed, which may be before it is read. */
  #shown = new AbortController();
  #pdf: PDFDocumentProxy | null = null;
  #drawing = new AbortController();
  #cited = { page: 1, passage: "" };
  #page = 1;
  /** 1 is as wide as the view. */
  #zoom = 1;
  #width = 0;
  #back: HTMLElement | null = null;

  constructor(root: ShadowRoot, panelWords: Words, life: AbortSignal) {
    const words = (this.#words = pdfWords(panelWords));
    this.#previous = button("‹", "pdf-previous", this.#turn(-1), words.pdfPrevious);
    this.#next = button("›", "pdf-next", this.#turn(1), words.pdfNext);
    this.#dialog = this.#build();
    root.adoptedStyleSheets.push(sheet(css));
    root.append(this.#dialog);
    const resized = new ResizeObserver(() => {
      if (this.#view.clientWidth !== this.#width) void this.#draw();
    });
    resized.observe(this.#view);
    life.addEventListener("abort", () => {
      resized.disconnect();
      this.close();
      this.#dialog.remove();
    });
  }

  #build(): HTMLDialogElement {
    const words = this.#words;
    const input = this.#input;
    input.type = "number";
    input.min = "1";
    input.ariaLabel = words.pdfPage;
    input.onchange = () => void this.#go(Number(input.value));
    this.#file.textContent = words.pdfFile;
    const close = button("×", "close", this.close, words.close);
    const zoom = (factor: number) => () => void this.#scale(this.#zoom * factor);
    this.#tools.append(
      this.#previous,
      input,
      this.#count,
      this.#next,
      button("−", "pdf-smaller", zoom(1 / ZOOM_STEP), words.pdfSmaller),
      button("+", "pdf-larger", zoom(ZOOM_STEP), words.pdfLarger),
      button("↔", "pdf-fit", () => void this.#scale(1), words.pdfFit),
    );
    this.#view.tabIndex = 0; // it scrolls, so the keyboard must reach it
    this.#view.role = "region";
    this.#status.role = "status";
    const head = h("header", "pdf-head", this.#title, this.#file, close);
    head.role = "none"; // the page's own is the landmark
    const dialog = h("dialog", "pdf", head, this.#tools, this.#view, this.#status);
    dialog.onkeydown = this.#onKey;
    for (const type of ["keypress", "keyup"] as const) {
      dialog.addEventListener(type, (event) => {
        event.stopPropagation(); // as in the panel: no hotkeys of the theme
      });
    }
    dialog.oncancel = (event) => {
      event.preventDefault();
      this.close();
    };
    return dialog;
  }

  /** Whether a file is shown. */
  get isOpen(): boolean {
    return this.#dialog.open;
  }

  /** Shows a file at its page; `back` gets the focus when the file is closed. */
  async open({ href, title, passage }: PdfSource, back: HTMLElement): Promise<void> {
    const url = new URL(href);
    this.#page = Number(/page=(\d+)/.exec(url.hash)?.[1] ?? 1);
    this.#cited = { page: this.#page, passage };
    this.#zoom = 1;
    this.#back = back;
    this.#file.href = href;
    this.#title.textContent = this.#dialog.ariaLabel = this.#view.ariaLabel = title;
    this.#view.replaceChildren(h("p", "pdf-note", this.#words.pdfLoading));
    this.#tools.hidden = false;
    this.#showNumbers(0);
    this.#dialog.showModal();
    this.#view.focus();
    url.hash = "";
    const { signal } = (this.#shown = new AbortController());
    try {
      const pdf = await openFile(url.href, signal);
      if (signal.aborted) return;
      this.#pdf = pdf;
      await this.#go(this.#page);
    } catch {
      if (!signal.aborted) this.#fail();
    }
  }

  /** Closes the file, and gives the focus back. */
  close = (): void => {
    if (!this.isOpen) return;
    this.#drawing.abort();
    this.#shown.abort();
    this.#pdf = null;
    TextLayer.cleanup();
    this.#view.replaceChildren();
    this.#dialog.close();
    this.#back?.focus({ preventScroll: true });
  };

  #turn = (by: number) => () => void this.#go(this.#page + by);

  async #go(page: number): Promise<void> {
    const count = this.#pdf?.numPages ?? 1;
    this.#page = Math.min(Math.max(1, Math.trunc(page) || this.#page), count);
    this.#showNumbers(count);
    await this.#draw(true);
  }

  async #scale(zoom: number): Promise<void> {
    this.#zoom = Math.min(Math.max(zoom, MIN_ZOOM), MAX_ZOOM);
    await this.#draw();
  }

  #showNumbers(count: number): void {
    this.#input.value = String(this.#page);
    this.#input.max = String(count);
    this.#input.disabled = !count;
    this.#count.textContent = count ? fill(this.#words.pdfCount, count) : "";
    this.#previous.disabled = this.#page <= 1;
    this.#next.disabled = this.#page >= count;
    const { pdfPage } = this.#words;
    this.#status.textContent = count ? `${pdfPage} ${this.#page} ${this.#count.textContent}` : "";
  }

  /** Draws the page, and stops drawing the one before. `turned` scrolls to the passage, or to the top without one. */
  async #draw(turned = false): Promise<void> {
    const pdf = this.#pdf;
    if (!pdf) return;
    this.#drawing.abort();
    const { signal } = (this.#drawing = new AbortController());
    this.#width = this.#view.clientWidth;
    try {
      const page = await pdf.getPage(this.#page);
      signal.throwIfAborted();
      const { element, spans } = await drawPage(page, this.#width * this.#zoom, signal);
      if (signal.aborted) return;
      const { page: cited, passage } = this.#cited;
      const marks = this.#page === cited ? markPassage(spans, passage) : [];
      this.#view.replaceChildren(element);
      if (!turned) return;
      this.#view.scrollTo(0, 0);
      marks[0]?.scrollIntoView({ block: "center", inline: "nearest" });
    } catch {
      if (!signal.aborted) this.#fail();
    }
  }

  /** The file is missing, damaged or locked: only the link to it is left. */
  #fail(): void {
    const line = (this.#status.textContent = this.#words.pdfFailed);
    this.#view.replaceChildren(h("p", "pdf-note", line));
    this.#tools.hidden = true;
    this.#file.focus();
  }

  #onKey = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") {
      event.preventDefault();
      this.close();
    }
    // The arrow keys move the caret in the field for the number, and scroll a page that is wider than the view.
    const taken = event.target === this.#input || this.#view.scrollWidth > this.#view.clientWidth;
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (taken || !by) return;
    event.preventDefault();
    void this.#go(this.#page + by);
  };
}

/** Marks a passage in the text of a page; gives the marks. */
function markPassage(spans: HTMLElement[], passage: string): HTMLElement[] {
  const texts = spans.map(({ textContent }) => textContent);
  const marks: HTMLElement[] = [];
  // From the last to the first, so that a mark does not move the offsets of those before it in the same piece.
  for (const { piece, start, end } of findPassage(texts, passage).reverse()) {
    const text = spans[piece]?.firstChild;
    if (!(text instanceof Text)) continue;
    text.splitText(end);
    const mark = h("mark", "passage");
    text.splitText(start).replaceWith(mark);
    mark.textContent = texts[piece]?.slice(start, end) ?? "";
    marks.unshift(mark);
  }
  return marks;
}
