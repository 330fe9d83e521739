/** Every sentence the reader sees. The `words` attribute overrides any of them by its name. */
export const WORDS = {
  question: "Your question",
  placeholder: "Ask a question",
  send: "Send",
  stop: "Stop",
  clear: "New",
  clearLabel: "New conversation",
  close: "Close",
  conversation: "Conversation",
  welcome: "Ask how something works.",
  welcomeNote: "The sections come first, then a short answer from them.",
  footer: "Answers quote this documentation. Check the linked sections.",
  sources: "Sources",
  closest: "Closest sections",
  source: "Source {n}",
  thisPage: "This page",
  searching: "Searching",
  ready: "Answer ready, {n} sources",
  readyOne: "Answer ready, 1 source",
  notFound: "Not found in these docs, {n} closest sections",
  stopped: "Stopped.",
  again: "Try again",
  askAgain: "Ask again",
  copy: "Copy",
  copied: "Copied",
  unsupported: "Not found in the cited sections",
  otherBuild: "These pages were built from another version of the docs than this answer.",
  offline: "The answer service cannot be reached.",
  broken: "The answer broke off.",
  failed: "The answer service could not answer.",
  busy: "Too many questions at once. Try again in {n} seconds.",
};

export type Words = Record<keyof typeof WORDS, string>;

/** The built-in words with the overrides of a JSON object; what is not a known word or a string is left out. */
export function readWords(json: string): Words {
  const words: Words = { ...WORDS };
  try {
    const given = JSON.parse(json) as Record<string, unknown> | null;
    for (const name of Object.keys(WORDS) as (keyof Words)[]) {
      const word = given?.[name];
      if (typeof word === "string") words[name] = word;
    }
  } catch {
    console.warn("trueref-chat: the words attribute is not a JSON object.");
  }
  return words;
}

/** Puts a number where the sentence says {n}. */
export function fill(sentence: string, n: number): string {
  return sentence.replace("{n}", String(n));
}
