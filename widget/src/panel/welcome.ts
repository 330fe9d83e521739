import { samePage } from "../shared/address";
import { button, h } from "../shared/dom";
import { fill, inLanguage, type Words } from "../shared/words";

/** The questions that the build has chosen to offer: by page, and by language for pages with few or none. */
interface Questions {
  pages?: Record<string, string[]>;
  languages?: Record<string, string[]>;
}

const MAX_OFFERED = 4;

/** The content of an empty panel: what it is for, questions to begin with, and the shortcut. */
export class Welcome {
  readonly element: HTMLElement;
  readonly #list = h("ul", "questions");

  constructor(
    private readonly words: Words,
    shortcut: string,
    private readonly ask: (question: string) => void,
  ) {
    this.#list.role = "list"; // Safari drops the role of a list without bullets
    this.element = h("div", "welcome", h("p", "", words.welcome), h("p", "", words.welcomeNote), this.#list);
    if (shortcut) this.element.append(h("p", "shortcut", fill(words.shortcut, keysOf(shortcut))));
  }

  /** Offers questions that this page answers, then such as the site answers. */
  offer({ pages = {}, languages = {} }: Questions, page: string | null): void {
    const own = Object.keys(pages).find((name) => page !== null && samePage(name, page));
    const { lang } = document.documentElement;
    const ofSite = languages[lang] ?? languages[lang.split("-")[0] ?? ""] ?? languages[""] ?? [];
    const offered = new Set([...((own !== undefined && pages[own]) || []), ...ofSite]);
    const items = [...offered].slice(0, MAX_OFFERED).map((question) => {
      const offer = button(question, "suggestion", () => {
        this.ask(question);
      });
      return h("li", "", inLanguage("docs", this.words, offer));
    });
    this.#list.replaceChildren(...items);
    this.#list.hidden = !items.length;
  }
}

function keysOf(key: string): string {
  return /Mac|iP/.test(navigator.userAgent) ? `⌘${key}` : `Ctrl+${key}`;
}

/** The questions of the site; none if it has no file of them, or if the file cannot be read. */
export async function readQuestions(folder: string, signal: AbortSignal): Promise<Questions> {
  try {
    const response = await fetch(`${folder}questions.json`, { signal });
    return (await response.json()) as Questions;
  } catch {
    return {};
  }
}
