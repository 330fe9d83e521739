/** Storage of the browser, which may be off or full: then nothing is kept, and nothing fails. */

export function attempt(action: () => void): void {
  try {
    action();
  } catch {
    // Private windows and full quotas: what would be kept then lives as long as the page.
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
