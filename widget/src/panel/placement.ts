/** Where the panel stands: beside the page under the site's header, or as a sheet over it on a phone. */

import { makeRoom } from "./room";

const HEADERS = "header,[role=banner],.navbar";

/** The layer of the panel if no header needs another: see panel.css. */
const PANEL_LAYER = 900;

export class Placement {
  readonly #phone = matchMedia("(max-width:600px)");
  #top = 0;

  constructor(
    private readonly host: HTMLElement,
    private readonly panel: HTMLDialogElement,
    signal: AbortSignal,
    onChange: () => void,
  ) {
    let frame = 0;
    const later = (): void => {
      cancelAnimationFrame(frame);
      if (panel.open)
        frame = requestAnimationFrame(() => {
          this.#measure();
        });
    };
    // Headers that hide on scrolling do it with a transition; a keyboard on a phone resizes only the visual viewport.
    for (const target of [window, visualViewport]) {
      for (const type of ["resize", "scroll", "transitionend"])
        target?.addEventListener(type, later, { signal });
    }
    const change = (): void => {
      if (!panel.open) return;
      // Closing, and showing as modal, both move the focus: Enter would then press a button of the panel.
      const focused = (host.shadowRoot?.activeElement ?? document.activeElement) as HTMLElement | null;
      panel.close();
      this.show();
      focused?.focus({ preventScroll: true });
      onChange();
    };
    this.#phone.addEventListener("change", change, { signal });
    // One of the two changes its size when the panel opens, closes or is pulled, the window is resized, or the page changes.
    const resized = new ResizeObserver(() => {
      this.makeRoom();
      // The keyboard of a phone opens over a field in an answer.
      host.shadowRoot?.querySelector("input:focus")?.scrollIntoView({ block: "nearest" });
    });
    for (const element of [panel, document.body]) resized.observe(element);
    signal.addEventListener("abort", () => {
      resized.disconnect();
      makeRoom(null, 0);
    });
  }

  get phone(): boolean {
    return this.#phone.matches;
  }

  /** Shows the panel: modal on a phone, where the page behind cannot be used, and beside the page elsewhere. */
  show(): void {
    this.#measure();
    // The attribute, not show(): that would move the focus, which is wrong after a page load.
    if (this.phone) this.panel.showModal();
    else this.panel.open = true;
  }

  /** Has the text of the page stand beside the panel. */
  makeRoom(): void {
    makeRoom(this.panel.open && !this.phone ? this.panel : null, this.#top);
  }

  #measure(): void {
    const { top, layer } = headerOf();
    this.#top = top;
    const {
      height: visible,
      offsetTop,
      scale,
    } = visualViewport ?? { height: innerHeight, offsetTop: 0, scale: 1 };
    // A reader who zooms in sees less of the page, as with a keyboard, and is to see the panel enlarged.
    const height = visible * scale;
    const values = { top, keyboard: Math.max(0, innerHeight - height - offsetTop), height };
    for (const [name, value] of Object.entries(values))
      this.host.style.setProperty(`--_${name}`, `${value}px`);
    // Just under the header, so that its search results open over the panel.
    if (layer) this.host.style.setProperty("--_layer", `${layer - 1}`);
  }
}

/** The lower edge of the site's header, and its layer if it has one, while it lies over the top of the window. */
function headerOf(): { top: number; layer: number } {
  let [top, layer] = [0, 0];
  for (const element of document.querySelectorAll(HEADERS)) {
    const { position, zIndex } = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    const own = Number(zIndex);
    // The header of the Book theme scrolls away with the page, and lies over the panel until then.
    const isOver = own > PANEL_LAYER || /fixed|sticky/.test(position);
    const isAcross = box.width > innerWidth * 0.6 && box.top < 120 && box.bottom < innerHeight / 2;
    if (isOver && isAcross && box.bottom > top) [top, layer] = [box.bottom, own];
  }
  return { top, layer };
}
