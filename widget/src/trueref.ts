import { TruerefChat } from "./element";

/** The attributes of `<trueref-chat>`, for pages that mount it from a script. */
export type MountOptions = Partial<
  Record<"server" | "base" | "lang" | "label" | "shortcut" | "position" | "accent" | "pdf" | "words", string>
>;

/** What `mount` returns. */
export interface Handle {
  element: HTMLElement;
  destroy(): void;
}

// A page may load the module twice: the plugin adds it, and the site's author may have added it too.
if (!customElements.get("trueref-chat")) customElements.define("trueref-chat", TruerefChat);

/** Puts the widget on the page; `destroy()` takes it off again with all its listeners. */
export function mount(options: MountOptions = {}): Handle {
  const element = document.createElement("trueref-chat");
  for (const [name, value] of Object.entries(options)) element.setAttribute(name, value);
  document.body.append(element);
  return {
    element,
    destroy: () => {
      element.remove();
    },
  };
}

// The script is all that a page needs: if it has no element, the script adds one, with its own data-* as attributes.
const script = [...document.scripts].find(({ src }) => src === import.meta.url);
if (script && !document.querySelector("trueref-chat")) mount(script.dataset);
