import type { PdfViewer } from "../pdf/viewer";
import type { Words } from "../shared/words";

/** Sources in PDFs, opened in a viewer that is fetched with the first of them. */
export class Documents {
  #viewer: Promise<PdfViewer> | null = null;
  #open: PdfViewer | null = null;

  /** `go` takes the reader to an address as a plain link does. */
  constructor(
    private readonly root: ShadowRoot,
    private readonly wanted: boolean,
    private readonly words: Words,
    private readonly go: (href: string, quote?: string) => void,
    private readonly life: AbortSignal,
  ) {}

  /** Follows a link; one that leads to a page of a PDF opens the viewer, unless it is turned off or cannot be loaded. */
  follow(link: HTMLAnchorElement): void {
    if (this.wanted && "passage" in link.dataset) void this.#show(link);
    else this.go(link.href, link.dataset["quote"]);
  }

  async #show(link: HTMLAnchorElement): Promise<void> {
    const { href, dataset } = link;
    this.#viewer ??= import("../trueref-pdf.js").then(
      ({ PdfViewer }) => new PdfViewer(this.root, this.words, this.life),
    );
    link.ariaBusy = "true";
    try {
      const viewer = (this.#open = await this.#viewer);
      await viewer.open({ href, title: dataset["title"] ?? "", passage: dataset["passage"] ?? "" }, link);
    } catch {
      this.#viewer = null; // a later click tries again
      this.go(href);
    } finally {
      link.ariaBusy = null;
    }
  }

  /** Closes the viewer; false if it was not open. */
  close(): boolean {
    const open = !!this.#open?.isOpen;
    this.#open?.close();
    return open;
  }
}
