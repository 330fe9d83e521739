import type { Panel } from "./panel/panel";
import { OPEN_KEY, readPill, type Pill } from "./pill/pill";
import css from "./pill/pill.css";
import { followTheme } from "./pill/theme";
import { sheet } from "./shared/dom";

let file = "./trueref-panel.js";

/** `<trueref-chat>`: the pill and the shortcut. The panel itself is fetched when it is first wanted. */
export class TruerefChat extends HTMLElement {
  #panel: Promise<Panel | undefined> | null = null;
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
    pill.part = pill.className = "pill";
    pill.textContent = settings.label;
    void settings.words.then(({ label, lang }) => {
      if (this.hasAttribute("label")) return; // in the language of the page
      pill.textContent = settings.label = label;
      if (lang) pill.lang = lang;
    });
    pill.onclick = () => void this.open();
    pill.ariaHasPopup = "dialog";
    pill.onpointerenter = () => void this.#load();
    const { shortcut } = settings;
    if (shortcut) {
      pill.ariaKeyShortcuts = `Control+${shortcut} Meta+${shortcut}`;
      const onKey = (event: KeyboardEvent): void => {
        if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
        // Where keys have other letters than Latin ones, as in Russian, the place of the key counts.
        if (event.key.toUpperCase() !== shortcut && (event.key < "~" || event.code !== `Key${shortcut}`))
          return;
        event.preventDefault();
        void this.#load().then((panel) => panel?.toggle());
      };
      // Capturing, so that it also hears keys that the panel keeps from the theme.
      addEventListener("keydown", onKey, { capture: true, signal });
    }
    root.replaceChildren(pill);
    followTheme(this, signal);
    try {
      if (sessionStorage.getItem(OPEN_KEY)) void this.open(false);
    } catch {
      // Storage is off.
    }
  }

  disconnectedCallback(): void {
    this.#life.abort();
    void this.#panel?.then((panel) => panel?.destroy());
    this.#panel = null;
  }

  /** Opens the panel; `focus` moves the keyboard into it. */
  async open(focus = true): Promise<void> {
    (await this.#load())?.open(focus);
  }

  /** Closes the panel and gives the keyboard back to the pill. */
  close(): void {
    void this.#panel?.then((panel) => panel?.close());
  }

  #load(): Promise<Panel | undefined> {
    const pill = this.#pill;
    // A screen reader speaks that the panel could not be loaded, and nothing of what the button shows before.
    pill.ariaLive = "polite";
    return (this.#panel ??= (import(file) as Promise<typeof import("./trueref-panel.js")>)
      .then(({ mountPanel }) => mountPanel(this, this.#root, this.#settings))
      .catch(async (): Promise<undefined> => {
        this.#panel = null; // a later click tries again
        file += "?"; // browsers remember a failed import by its address
        pill.textContent = (await this.#settings.words).unloaded;
      }));
  }
}
