import type { Answers } from "../answers/answers";
import type * as AnswersFile from "../answers/answers";
import { readOptions, type Options } from "../pill/options";
import { OPEN_KEY, type Pill } from "../pill/pill";
import { pageOf } from "../shared/address";
import { h, keepKeys, sheet } from "../shared/dom";
import { attempt, readStored } from "../shared/session-storage";
import { readWords, WORDS, type Words } from "../shared/words";
import { BackStep } from "./back";
import { readBuildFacts, type BuildFacts } from "./build-facts";
import { listenForClosing } from "./closing";
import { Composer } from "./composer";
import { Documents } from "./documents";
import { FocusBefore } from "./focus";
import { drawFrame } from "./frame";
import { follow, interceptLinks, landLast, onNavigate } from "./links";
import css from "./panel.css";
import { Placement } from "./placement";
import { readQuestions, Welcome } from "./welcome";

let file = "./trueref-answers.js";

/** Builds the panel in the host's shadow root, closed; the handle opens, closes and destroys it. */
export async function mountPanel(host: HTMLElement, root: ShadowRoot, pill: Pill): Promise<Panel> {
  const words = { ...WORDS, ...(await pill.words) };
  return new Panel(host, root, readOptions(host, pill, new URL(".", import.meta.url).href), words);
}

export class Panel {
  readonly #life = new AbortController();
  readonly #words: Words;
  readonly #dialog: HTMLDialogElement;
  readonly #log = h("div", "log");
  readonly #status = h("p", "status");
  readonly #trouble = h("p", "error");
  readonly #welcome: Welcome;
  readonly #composer: Composer;
  readonly #placement: Placement;
  readonly #back: BackStep;
  readonly #documents: Documents;
  readonly #before: FocusBefore;
  #answers: Promise<Answers> | null = null;
  #buildFacts: Promise<BuildFacts> | null = null;

  constructor(
    private readonly host: HTMLElement,
    private readonly root: ShadowRoot,
    private readonly options: Options,
    own: Words,
  ) {
    const { signal } = this.#life;
    const words = (this.#words = readWords(options.words, own));
    if (host.lang !== document.documentElement.lang) words.lang ??= host.lang;
    this.#welcome = new Welcome(words, options.shortcut, this.#ask);
    this.#composer = new Composer(
      words,
      this.#ask,
      () =>
        void this.#answers?.then((answers) => {
          answers.stop();
        }),
    );
    // A reader who types a question is about to need what draws answers.
    this.#composer.element.oninput = () => void this.#load();
    const pill = root.querySelector(".pill") as HTMLElement;
    if (pill.textContent !== options.label) pill.textContent = options.label; // it could not be loaded before
    this.#before = new FocusBefore(host, pill);
    this.#dialog = this.#draw(words);
    this.#placement = new Placement(host, this.#dialog, signal, () => {
      if (this.#placement.phone) this.#back.push();
    });
    this.#documents = new Documents(root, options.pdf, words, this.#go, signal);
    this.#back = new BackStep(() => {
      // A PDF lies over the sheet and is closed first; the sheet then needs an entry of the history again.
      if (this.#documents.close()) this.#back.push();
      // A phone that was turned has the panel beside the page, where Back and links of the page leave it open.
      else if (this.#dialog.open && !this.#placement.phone) return false;
      else if (this.#dialog.open) this.#shut();
      return true;
    }, signal);
    this.#listen();
  }

  #draw(words: Words): HTMLDialogElement {
    this.#log.append(this.#welcome.element);
    const [log, status, form, clear] = [this.#log, this.#status, this.#composer.element, this.#clear];
    const parts = { log, status, form, clear, close: this.close.bind(this, undefined) };
    const dialog = drawFrame(this.host, this.options.label, words, parts);
    this.root.adoptedStyleSheets.push(sheet(css));
    this.root.append(dialog);
    return dialog;
  }

  /** Opens the panel; `focus` says that the reader asked for it and wants to type. */
  open(focus: boolean): void {
    const { host, options } = this;
    const { phone } = this.#placement;
    // After a page load the sheet stays away: it would cover the page that the reader went to.
    const open = focus || !phone;
    this.#keepOpen(open);
    landLast(this.#life.signal);
    if (open && !this.#dialog.open) {
      this.#before.remember();
      host.toggleAttribute("open", true);
      this.#placement.show();
      if (phone) this.#back.push();
      this.#buildFacts = readBuildFacts(options, this.#life.signal);
      if (readStored(options.key).length > 2) void this.#load();
      else void this.#offer();
      void this.#answers?.then((answers) => {
        answers.shown();
        answers.scrollToLast();
      });
    }
    if (focus) this.#composer.focus();
  }

  /** Opens the panel, or closes it. */
  toggle(): void {
    if (this.#dialog.open) this.close();
    else this.open(true);
  }

  /** Closes the panel and gives the keyboard back to what had it before, then goes on. */
  close(then?: () => void): void {
    this.#shut(!then);
    this.#back.drop(then);
  }

  #go = (href: string, quote?: string): void => {
    const go = follow.bind(null, this.host, this.#life.signal, href, quote);
    this.#before.forget();
    // On a phone the sheet's entry leaves the history first, so that the theme's router hears only of the link.
    if (this.#placement.phone) this.close(go);
    else this.#back.drop(go);
  };

  #shut(focus = true): void {
    const isHere = this.#before.isHere;
    this.#documents.close();
    this.#dialog.close();
    this.host.toggleAttribute("open", false);
    this.#keepOpen(false);
    if (focus && isHere) this.#before.giveBack();
  }

  destroy(): void {
    this.#life.abort();
    // Here, for an element that is taken off while the panel loads opens the panel after that.
    this.host.toggleAttribute("open", false);
    this.#dialog.remove();
  }

  #keepOpen(open: boolean): void {
    attempt(() => {
      sessionStorage.setItem(OPEN_KEY, open ? "1" : "");
    });
  }

  #here = (): string | null => pageOf(location.href, this.options.base);

  async #offer(): Promise<void> {
    const { signal } = this.#life;
    if ((await this.#buildFacts)?.questions)
      this.#welcome.offer(await readQuestions(this.options.files, signal), this.#here());
  }

  /** Loads what draws answers: once, and again if that failed. */
  #load(): Promise<Answers> {
    this.#answers ??= (import(file) as Promise<typeof AnswersFile>).then(async ({ Answers }) => {
      // Links to sections need the root of the site, which may come with the build facts.
      if (!this.options.base) await this.#buildFacts;
      return new Answers(this.#stage(), this.#life.signal);
    });
    this.#answers.catch(() => {
      this.#answers = null;
      file += "?"; // browsers remember a failed import by its address
    });
    return this.#answers;
  }

  #stage(): ConstructorParameters<typeof Answers>[0] {
    return {
      root: this.root,
      log: this.#log,
      status: this.#status,
      options: this.options,
      words: this.#words,
      generation: this.#buildFacts?.then(({ generation }) => generation) ?? Promise.resolve(""),
      here: this.#here,
      busy: (busy) => {
        this.#composer.busy = busy;
      },
      focus: () => {
        this.#composer.focus();
      },
      filled: (exchanges) => {
        this.#welcome.element.hidden = exchanges > 0;
      },
    };
  }

  #ask = (question: string): void => {
    const composer = this.#composer;
    composer.focus();
    if (composer.busy) return;
    this.#trouble.remove();
    // At once: until what draws answers has come, a second question would be lost.
    composer.busy = true;
    this.#status.textContent = this.#words.searching;
    this.#load().then(
      (answers) => {
        answers.ask(question);
      },
      () => {
        composer.busy = false;
        composer.text = question;
        this.#trouble.textContent = this.#status.textContent = this.#words.notLoaded;
        this.#log.append(this.#trouble);
      },
    );
  };

  #clear = (): void => {
    void this.#answers?.then((answers) => {
      answers.clear();
      void this.#offer();
    });
    this.#composer.busy = false;
    this.#status.textContent = "";
    this.#composer.focus();
  };

  #listen(): void {
    const [dialog, { signal }] = [this.#dialog, this.#life];
    interceptLinks(dialog, (link) => {
      this.#documents.follow(link);
    });
    onNavigate(() => {
      void this.#answers?.then((answers) => {
        answers.shown();
      });
      void this.#offer();
    }, signal);
    const isSheet = (): boolean => this.#placement.phone;
    const closeAndKeepFocus = this.close.bind(this, () => undefined);
    listenForClosing(this.host, dialog, isSheet, this.close.bind(this), closeAndKeepFocus, signal);
    keepKeys(dialog);
  }
}
