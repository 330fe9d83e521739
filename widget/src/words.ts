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
  welcomeNote: "Answers are passages of these docs, with a link to their place.",
  shortcut: "{text} opens and closes this panel.",
  width: "Width of this panel",
  footer: "Answers quote this documentation. Check the linked sections.",
  readAs: "Read as: {text}",
  closest: "These docs have no direct answer. The closest sections:",
  more: "More sections",
  nearest: "Closest sections",
  sources: "Sources",
  source: "Source {n}",
  thisPage: "This page",
  code: "Code",
  table: "Table",
  whole: "Show the whole in the docs",
  searching: "Searching",
  writing: "An answer is being written from these sections.",
  written: "Written by a language model from these sections.",
  ready: "Answer ready. Sections: {n}",
  notFound: "Not found in these docs. Closest sections: {n}",
  stopped: "Stopped.",
  again: "Try again",
  askAgain: "Ask again",
  copy: "Copy",
  copied: "Copied",
  unsupported: "Not found in the cited sections",
  helpful: "Was this helpful?",
  yes: "Yes",
  no: "No",
  reason: "Why? (optional)",
  thanks: "Thank you. This helps to mend the docs.",
  unsent: "This could not be sent.",
  otherBuild: "These pages were built from another version of the docs than this answer.",
  notLoaded: "A part of this panel could not be loaded. Ask again.",
  standIn: "The answer service cannot be reached. This was found by words alone.",
  missing: "This does not seem to be in these docs.",
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

/** Puts a value where the sentence says {n} or {text}. */
export function fill(sentence: string, value: number | string): string {
  return sentence.replace(/\{(n|text)\}/, () => String(value));
}
