import type { Panel } from "./panel/panel";
import { ENGLISH, OPEN_KEY, readPill, type Pill } from "./pill/pill";
import css from "./pill/pill.css";
import { followTheme } from "./pill/theme";
import { sheet } from "./shared/dom";

let file = "./trueref-panel.js";

/** `<trueref-chat>`: the pill and the shortcut. The panel itself is fetched when it is first wanted. */
export class TruerefChat extends HTMLElement {
  #panel: Promise<Panel> | null = null;
  #life = new AbortController();
  readonly #root = this.attachShadow({ mode: "open" });
  #pill!: HTMLButtonElement;
  #settings!: Pill;

  connectedCallback(): void {
    const settings = (this.#settings = readPill(this));
    const root = this.#root;
    const { signal } = (this.#life = new AbortController());
    const accent = this.getAttribute("accent");
    if (accent) this.style.setProperty("--trueref-accent", accent);
    root.adoptedStyleSheets = [sheet(css)];
    const pill = (this.#pill = document.createElement("button"));
    pill.setAttribute("part", (pill.className = "pill"));
    pill.textContent = settings.label;
    void settings.words.then((words) => {
      if (words) pill.textContent = settings.label = this.getAttribute("label") ?? words.label;
    });
    pill.onclick = () => void this.open();
    pill.ariaHasPopup = "dialog";
    pill.ariaLive = "polite"; // a screen reader speaks the text if the panel could not be loaded
    pill.onpointerenter = () => void this.#load();
    if (settings.shortcut) {
      const letter = settings.shortcut.toUpperCase();
      pill.setAttribute("aria-keyshortcuts", `Control+${letter} Meta+${letter}`);
      // Capturing, so that it also hears keys that the panel keeps from the theme.
      addEventListener("keydown", this.#onKey, { capture: true, signal });
    }
    root.replaceChildren(pill);
    followTheme(this, signal);
    if (wasOpen()) void this.open(false);
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
    if (!plain || event.key.toLowerCase() !== this.#settings.shortcut) return;
    event.preventDefault();
    if (this.hasAttribute("open")) this.close();
    else void this.open();
  };

  #load(): Promise<Panel | undefined> {
    this.#panel ??= (import(file) as Promise<typeof import("./trueref-panel.js")>).then(({ mountPanel }) => {
      this.#pill.textContent = this.#settings.label;
      return mountPanel(this, this.#root, this.#settings);
    });
    return this.#panel.catch(async (): Promise<undefined> => {
      this.#panel = null; // a later click tries again
      file += "?"; // browsers remember a failed import by its address
      this.#pill.textContent = ((await this.#settings.words) ?? ENGLISH).unloaded;
    });
  }
}

function wasOpen(): boolean {
  try {
    return !!sessionStorage.getItem(OPEN_KEY);
  } catch {
    return false; // storage is off
  }
}
