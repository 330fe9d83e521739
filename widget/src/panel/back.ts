/**
 * An entry of the history for the open sheet, so that Back closes it as it closes every other sheet on a phone. It has
 * the address and the state of the page, so that a theme's router takes it for the same page.
 */
export class BackStep {
  #pushed = false;
  /** How far the page is scrolled while the sheet is open. A router may scroll it before this class hears of Back. */
  #at = { left: 0, top: 0 };
  #then: (() => void) | undefined;

  /** `onBack` is called when the reader went back; it returns false where Back closes nothing, beside the page. */
  constructor(onBack: () => boolean, signal: AbortSignal) {
    const onPop = (): void => {
      if (!this.#pushed) return;
      this.#pushed = false;
      const handled = onBack();
      if (this.#then) this.#then();
      else if (handled) holdScroll(this.#at);
    };
    addEventListener("popstate", onPop, { signal });
    addEventListener(
      "scroll",
      () => {
        if (this.#pushed) this.#mark();
      },
      { signal, passive: true },
    );
  }

  push(): void {
    this.#then = undefined;
    if (this.#pushed) return;
    this.#mark();
    history.pushState(history.state, "");
    // A router may say at once, by an event like that of Back, that the history has changed.
    this.#pushed = true;
  }

  /** Takes the entry out of the history if there is one; `then` is called when it is gone. */
  drop(then?: () => void): void {
    this.#then = then;
    if (this.#pushed) history.back();
    else then?.();
  }

  #mark(): void {
    this.#at = { left: scrollX, top: scrollY };
  }
}

/** A router may fetch the page again before it scrolls. */
const HOLD_MS = 1000;

/**
 * Docusaurus and VitePress scroll at each step back, to the top or to where the page was left, even if the step leads
 * to the page that is shown, and some do it twice. All of that is undone, until the reader scrolls or presses a key.
 */
function holdScroll({ left, top }: { left: number; top: number }): void {
  const holding = new AbortController();
  const options = { signal: AbortSignal.any([holding.signal, AbortSignal.timeout(HOLD_MS)]) };
  const stop = (): void => {
    holding.abort();
  };
  const back = (): void => {
    scrollTo({ left, top, behavior: "instant" });
  };
  for (const type of ["touchstart", "wheel", "keydown"]) addEventListener(type, stop, options);
  addEventListener("scroll", back, options);
  back();
}
