import { sheet } from "./dom";
import { openKey, readOptions, type Options } from "./options";
import css from "./pill.css";
import { followTheme } from "./theme";
import type { Panel } from "./panel";

/** `<trueref-chat>`: the pill and the shortcut. The panel itself is fetched when it is first wanted. */
export class TruerefChat extends HTMLElement {
  #panel: Promise<Panel> | null = null;
  #life = new AbortController();
  readonly #root = this.attachShadow({ mode: "open" });
  #pill!: HTMLButtonElement;
  #options!: Options;

  connectedCallback(): void {
    const options = (this.#options = readOptions(this));
    const root = this.#root;
    const { signal } = (this.#life = new AbortController());
    const accent = this.getAttribute("accent");
    if (accent) this.style.setProperty("--trueref-accent", accent);
    root.adoptedStyleSheets = [sheet(css)];
    const pill = (this.#pill = document.createElement("button"));
    pill.setAttribute("part", (pill.className = "pill"));
    pill.textContent = options.label;
    pill.onclick = () => void this.open();
    pill.ariaHasPopup = "dialog";
    pill.ariaLive = "polite"; // tells when it could not load
    pill.onpointerenter = () => void this.#load();
    if (options.shortcut) {
      const letter = options.shortcut.toUpperCase();
      pill.setAttribute("aria-keyshortcuts", `Control+${letter} Meta+${letter}`);
      // Capturing, so that it also hears keys that the panel keeps from the theme.
      addEventListener("keydown", this.#onKey, { capture: true, signal });
    }
    root.replaceChildren(pill);
    followTheme(this, signal);
    if (wasOpen(options)) void this.open(false);
  }

  disconnectedCallback(): void {
    this.#life.abort();
    this.removeAttribute("open");
    void this.#panel?.then((panel) => {
      panel.destroy();
    });
    this.#panel = null;
  }

  /** Opens the panel; `focus` moves the keyboard into it. */
  async open(focus = true): Promise<void> {
    (await this.#load())?.open(focus);
  }

  /** Closes the panel and gives the keyboard back to the pill. */
  close(): void {
    void this.#panel?.then((panel) => {
      panel.close();
    });
  }

  #onKey = (event: KeyboardEvent): void => {
    const plain = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    if (!plain || event.key.toLowerCase() !== this.#options.shortcut) return;
    event.preventDefault();
    if (this.hasAttribute("open")) this.close();
    else void this.open();
  };

  #load(): Promise<Panel | null> {
    this.#panel ??= import("./trueref-panel.js").then(({ mountPanel }) => {
      this.#pill.textContent = this.#options.label;
      return mountPanel(this, this.#root, this.#options);
    });
    return this.#panel.catch(() => {
      this.#panel = null; // a later click tries again
      this.#pill.textContent = "Could not load. Try again";
      return null;
    });
  }
}

function wasOpen({ base }: Options): boolean {
  try {
    return Boolean(sessionStorage.getItem(openKey(base)));
  } catch {
    return false; // storage is off
  }
}
