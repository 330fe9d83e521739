/** What had the keyboard when the reader opened the panel; it gets the keyboard back when the panel closes. */
export class FocusBefore {
  #element: Element | null = null;

  constructor(
    private readonly host: HTMLElement,
    private readonly pill: HTMLElement,
  ) {}

  remember(): void {
    this.#element = document.activeElement;
  }

  /** The reader follows a link, and is not to be taken back to where they were before. */
  forget(): void {
    this.#element = null;
  }

  /** Whether the keyboard is in the panel, or nowhere. A reader who has gone on to the page is left there. */
  get isHere(): boolean {
    const { activeElement, body } = document;
    return !activeElement || activeElement === this.host || activeElement === body;
  }

  giveBack(): void {
    if (this.#element instanceof HTMLElement) this.#element.focus({ preventScroll: true });
    // If nothing had it, or what had it is gone or hidden, the button is where the reader can go on.
    if (this.isHere) this.pill.focus({ preventScroll: true });
  }
}
