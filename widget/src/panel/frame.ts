import { button, h } from "../shared/dom";
import { inLanguage, type Words } from "../shared/words";
import { widthEdge } from "./width";

/** What the panel fills or hears later, and what its two buttons at the top do. */
export interface FrameParts {
  log: HTMLElement;
  status: HTMLElement;
  form: HTMLElement;
  clear: () => void;
  close: () => void;
}

/** The panel itself, closed, around its parts. */
export function drawFrame(
  host: HTMLElement,
  label: string,
  words: Words,
  parts: FrameParts,
): HTMLDialogElement {
  const { log, status, form } = parts;
  log.tabIndex = 0; // it scrolls, so the keyboard must reach it
  log.role = "log";
  // A screen reader speaks the status line and not the log, of which it would speak every token.
  log.ariaLive = "off";
  log.ariaLabel = words.conversation;
  status.role = "status";
  const clear = button(words.clear, "new", parts.clear, words.clearLabel);
  const close = button("×", "close", parts.close, words.close);
  const head = h("header", "", h("h2", "", label), clear, close);
  const foot = h("footer", "", form, h("p", "", words.footer));
  head.role = foot.role = "none"; // the page's own are the landmarks
  const dialog = h("dialog", "panel", head, log, status, foot);
  dialog.append(widthEdge(host, dialog, words.width));
  // A router that keeps copies of pages, as Turbo does, shows a copy of the element with the attributes of that time.
  host.toggleAttribute("open", false);
  dialog.ariaLabel = label;
  // A label that the site gives is in the language of the page.
  const worded = host.hasAttribute("label") ? [clear, close, log, status, foot] : [dialog];
  for (const element of worded) inLanguage("words", words, element);
  return dialog;
}
