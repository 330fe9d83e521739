import { button, h, scrollable } from "../shared/dom";
import type { Words } from "../shared/words";

/** A block of code in its box: a title or a language, a button that copies what is shown, and the code. */
export function codeBox(label: string, code: HTMLElement, words: Words): HTMLElement {
  // No-break spaces become plain ones, as when a browser copies: in a command they are an error that nobody sees.
  const copy = copyButton(words, () => code.textContent.replace(/\u00a0/g, " "));
  const pre = scrollable(h("pre", "", code), [words.code, label], code.textContent);
  return h("div", "code", h("div", "code-head", h("span", "", label), copy), pre);
}

/** A button that copies; it is hidden where pages have no clipboard, which is on plain http. */
export function copyButton(words: Words, content: () => string): HTMLElement {
  const element = button(words.copy, "copy", () => {
    void navigator.clipboard.writeText(content()).then(() => {
      element.textContent = words.copied;
      setTimeout(() => (element.textContent = words.copy), 2000);
    });
  });
  element.ariaLive = "polite"; // a screen reader speaks that it was copied
  element.hidden = !isSecureContext;
  return element;
}
