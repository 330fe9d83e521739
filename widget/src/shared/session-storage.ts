/** Storage of the browser, which may be off or full: then nothing is kept, and nothing fails. */

export function attempt(action: () => void): void {
  try {
    action();
  } catch {
    // In a private window, or with a full quota, the value is lost with the page.
  }
}

/** What this tab keeps under a key, "" if there is nothing. */
export function readStored(key: string): string {
  let stored = "";
  attempt(() => {
    stored = sessionStorage.getItem(key) ?? "";
  });
  return stored;
}
