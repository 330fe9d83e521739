import { pageOf } from "./address";
import { ask } from "./ask";
import { Composer } from "./composer";
import { Conversation, type Exchange } from "./conversation";
import { button, h, sheet } from "./dom";
import { readGeneration } from "./generation";
import { follow, interceptLinks, onNavigate } from "./links";
import type { Options } from "./options";
import css from "./panel.css";
import { Placement } from "./placement";
import { restore, save, saveOpen } from "./storage";
import { Transcript } from "./transcript";
import { readWords, type Words } from "./words";

/** Builds the panel in the host's shadow root, closed; the handle opens, closes and destroys it. */
export function mountPanel(host: HTMLElement, root: ShadowRoot, options: Options): Panel {
  return new Panel(host, root, options);
}

export class Panel {
  readonly #life = new AbortController();
  readonly #dialog: HTMLDialogElement;
  readonly #transcript: Transcript;
  readonly #conversation: Conversation;
  readonly #composer: Composer;
  readonly #placement: Placement;

  constructor(
    private readonly host: HTMLElement,
    private readonly root: ShadowRoot,
    private readonly options: Options,
  ) {
    const { base, server } = options;
    const words = readWords(options.words);
    this.#conversation = new Conversation(
      (question, answer, signal, changed) => ask(server, question, answer, words, signal, changed),
      this.#changed,
    );
    const [retry, keep] = [this.#retry, this.#keep];
    this.#transcript = new Transcript({ options, words, retry, keep, generation: "" }, () => this.#here());
    this.#composer = new Composer(words, this.#ask, () => {
      this.#conversation.stop();
    });
    this.#dialog = this.#build(words);
    this.#placement = new Placement(host, this.#dialog, this.#life.signal);
    this.#conversation.exchanges = restore(base);
    for (const exchange of this.#conversation.exchanges) this.#transcript.draw(exchange);
    this.#listen();
  }

  #build(words: Words): HTMLDialogElement {
    const { label } = this.options;
    const close = (): void => {
      this.close();
    };
    const clear = button(words.clear, "new", this.#clear, words.clearLabel);
    const head = h("header", "", h("h2", "", label), clear);
    head.append(button("×", "close", close, words.close));
    const foot = h("footer", "", this.#composer.element, h("p", "", words.footer));
    const dialog = h("dialog", "panel", head, this.#transcript.element, this.#transcript.status, foot);
    dialog.ariaLabel = label;
    this.root.adoptedStyleSheets.push(sheet(css));
    this.root.append(dialog);
    return dialog;
  }

  /** Opens the panel; `focus` says that the reader asked for it and wants to type. */
  open(focus: boolean): void {
    const { host, options } = this;
    // After a page load the sheet stays away: it would cover the page that the reader went to.
    const open = focus || !this.#placement.phone;
    saveOpen(options.base, open);
    if (open && !this.#dialog.open) {
      host.toggleAttribute("open", true);
      this.#placement.show();
      this.#transcript.markHere();
      this.#transcript.scrollToLast();
      const { signal } = this.#life;
      void readGeneration(options.base, signal).then((generation) => {
        this.#transcript.compare(generation);
      });
    }
    if (focus) this.#composer.focus();
  }

  close(focus = true): void {
    this.#dialog.close();
    this.host.toggleAttribute("open", false);
    saveOpen(this.options.base, false);
    if (focus) this.root.querySelector<HTMLElement>(".pill")?.focus({ preventScroll: true });
  }

  destroy(): void {
    this.#conversation.stop();
    this.#life.abort();
    this.#dialog.remove();
  }

  #here(): string | null {
    return pageOf(location.href, this.options.base);
  }

  #keep = (): void => {
    save(this.options.base, this.#conversation.exchanges);
  };

  #ask = (question: string): void => {
    void this.#conversation.ask(question, this.#here());
    this.#transcript.scrollToLast();
  };

  #retry = (exchange: Exchange): void => {
    if (this.#conversation.busy) return;
    this.#conversation.remove(exchange);
    this.#transcript.remove((candidate) => candidate === exchange);
    this.#composer.focus();
    this.#ask(exchange.question);
  };

  #clear = (): void => {
    this.#conversation.clear();
    this.#transcript.remove(() => true);
    this.#composer.busy = false;
    this.#composer.focus();
    this.#keep();
  };

  #changed = (exchange: Exchange): void => {
    this.#transcript.draw(exchange);
    const busy = exchange.state === "open";
    if (busy && (exchange.sources.length || exchange.text)) return;
    this.#composer.busy = busy;
    this.#transcript.announce(exchange);
    this.#keep();
  };

  #listen(): void {
    const dialog = this.#dialog;
    const { signal } = this.#life;
    interceptLinks(dialog, (href) => {
      if (this.#placement.phone) this.close(false);
      follow(this.host, href);
    });
    onNavigate(() => {
      this.#transcript.markHere();
    }, signal);
    // The browser's own ways to close the modal sheet: Esc, the back gesture; and a tap beside it.
    dialog.oncancel = (event) => {
      event.preventDefault();
      this.close();
    };
    dialog.onclick = (event) => {
      if (event.target === dialog && this.#placement.phone) this.close();
    };
    keepKeys(dialog);
    document.addEventListener(
      "keydown",
      (event) => {
        this.#escape(event);
      },
      { signal },
    );
  }

  /** Esc closes from inside, and from the page when nothing there has the focus (a search field may want it). */
  #escape(event: KeyboardEvent): void {
    const { activeElement, body } = document;
    const ours = activeElement === this.host || activeElement === body;
    if (event.key === "Escape" && ours && this.#dialog.open && !event.isComposing) this.close();
  }
}

/** Typed letters must not fire the theme's hotkeys (`s`, `f`, `/`); Esc still passes. */
function keepKeys(panel: HTMLElement): void {
  for (const type of ["keydown", "keypress", "keyup"] as const) {
    panel.addEventListener(type, (event) => {
      if (event.key !== "Escape") event.stopPropagation();
    });
  }
}
