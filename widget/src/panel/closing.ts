/**
 * Hears the ways in which a reader closes the panel without its button: Esc, the back gesture, and a tap beside the
 * sheet. `closeAndKeepFocus` is called for Esc on an element of the page that the panel covers.
 */
export function listenForClosing(
  host: HTMLElement,
  dialog: HTMLDialogElement,
  isSheet: () => boolean,
  close: () => void,
  closeAndKeepFocus: () => void,
  signal: AbortSignal,
): void {
  dialog.oncancel = (event) => {
    event.preventDefault();
    close();
  };
  let pressed: EventTarget | null;
  dialog.onpointerdown = (event) => {
    pressed = event.target;
  };
  dialog.onclick = (event) => {
    // Whoever selects text may release the mouse beside the sheet.
    if (event.target === dialog && pressed === dialog && isSheet()) close();
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || !dialog.open || event.isComposing) return;
    const { activeElement: focused, body } = document;
    // Another element of the page may want Esc, as a search field does, unless the panel covers it.
    if (!focused || focused === host || focused === body) close();
    else if (isCovered(focused, host)) closeAndKeepFocus();
  };
  document.addEventListener("keydown", onKey, { signal });
}

function isCovered(element: Element, host: HTMLElement): boolean {
  const { left, top, width, height } = element.getBoundingClientRect();
  return document.elementFromPoint(left + width / 2, top + height / 2) === host;
}
