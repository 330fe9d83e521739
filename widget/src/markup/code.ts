import { button, h, scrollable } from "../shared/dom";
import { inLanguage, type Words } from "../shared/words";

/** A block of code in its box: a title or a language, a button that copies what is shown, and the code. */
export function codeBox(label: string, code: HTMLElement, words: Words): HTMLElement {
  // No-break spaces become plain ones, as when a browser copies: in a command they are an error that nobody sees.
  const copy = copyButton(words, () => code.textContent.replace(/\u00a0/g, " "));
  const pre = scrollable(h("pre", "", code), [words.code, label], code.textContent);
  return h("div", "code", h("div", "code-head", h("span", "", label), copy), pre);
}

/** A button that copies. */
export function copyButton(words: Words, content: () => string): HTMLElement {
  const element = button(words.copy, "copy", () => {
    // A screen reader speaks what came of it, and not that the button is as before.
    element.ariaLive = "polite";
    void write(content()).then((written) => {
      element.textContent = written ? words.copied : words.uncopied;
      setTimeout(() => {
        element.ariaLive = null;
        element.textContent = words.copy;
      }, 2000);
    });
  });
  return inLanguage("words", words, element);
}

/** Writes to the clipboard. Pages on plain http have none, and a frame of another host may not use it. */
async function write(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // The older way asks for no permission: the browser copies, and this puts the text in the place of the selection.
    const put = (event: ClipboardEvent): void => {
      event.clipboardData?.setData("text/plain", text);
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    addEventListener("copy", put, { capture: true });
    // eslint-disable-next-line @typescript-eslint/no-deprecated
    const copied = document.execCommand("copy");
    removeEventListener("copy", put, { capture: true });
    return copied;
  }
}
