import {
  fieldsOf,
  readAnswer,
  readExcerpts,
  readMarks,
  readObject,
  readSources,
  textOf,
} from "../shared/answer";
import type { Answer, Fields } from "../shared/answer";
import { fill, type Words } from "../shared/words";
import { readEvents, type ServerEvent } from "./stream";

/** The body of a request; `page` is left out if the reader is outside the site. */
export interface Question {
  question: string;
  history: { question: string; answer: string }[];
  page?: string | undefined;
  /** The addresses that the conversation has numbered, from the first on: the server gives them the same numbers. */
  numbered?: string[] | undefined;
}

/** A failure whose message is the line that the reader sees. */
export class Failure extends Error {
  /** `isDown` says that there is no server, or none that can answer; `code` is the server's. */
  constructor(
    message: string,
    readonly isDown = false,
    readonly code = "",
  ) {
    super(message);
  }
}

/** The server takes a question for a model only with this session; see `session` of the API. */
let session = "";

/**
 * Asks the server and fills `answer` as the stream comes in; `changed` is called after each step.
 * Throws a `Failure`, or an AbortError when stopped.
 */
export async function ask(server: string, question: Question, ...rest: Rest): Promise<void> {
  try {
    await askOnce(server, question, ...rest);
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== "no-session") throw error;
    // The server answers with a model, and the session has expired or there is none yet.
    await openSession(server, ...rest);
    await askOnce(server, question, ...rest);
  }
}

async function openSession(server: string, ...[, words, signal]: Rest): Promise<void> {
  try {
    const issued = await fetch(`${server}/session`, { method: "POST", signal });
    session = textOf(readObject(await issued.text())["session"]);
  } catch (error) {
    throw signal.aborted ? error : new Failure(words.offline, true);
  }
}

type Rest = [answer: Answer, words: Words, signal: AbortSignal, changed: () => void];

async function askOnce(
  server: string,
  question: Question,
  answer: Answer,
  words: Words,
  signal: AbortSignal,
  changed: () => void,
): Promise<void> {
  let line = words.offline;
  try {
    const response = await fetch(`${server}/ask`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ ...question, stream: true, session: session || undefined }),
      signal,
    });
    if (!response.ok) {
      const fields = readObject(await response.text());
      throw failure(fields, words, response.status >= 500, secondsOf(response.headers.get("Retry-After")));
    }
    line = words.broken;
    const done = await readEvents(response.body, (event) => {
      const last = take(event, answer, words);
      changed();
      return last;
    });
    // Without `done` the text may be cut off anywhere: it is no answer.
    if (!done) throw new Failure(line);
  } catch (error) {
    throw signal.aborted || error instanceof Failure ? error : new Failure(line, line === words.offline);
  }
}

/** Puts one event into the answer; true for the last one. */
function take({ event, data }: ServerEvent, answer: Answer, words: Words): boolean {
  const fields = readObject(data);
  if (event === "error") throw failure(fields, words);
  if (event === "sources") {
    answer.sources = readSources(fields["sources"]);
    // While a model writes, the reader can already read these.
    answer.excerpts = readExcerpts(fields["excerpts"], answer.sources);
  }
  if (event === "delta") answer.text += textOf(fields["text"]);
  if (event === "mark") answer.marks.push(...readMarks([fields]));
  if (event !== "done") return false;
  const final = readAnswer(fields);
  // What the last event says is final: another text may have replaced a rejected draft and its marks.
  if (final.text === answer.text) final.marks = answer.marks;
  Object.assign(answer, final);
  return true;
}

/** By the code of an error, the name of the sentence for it, if there is something that the reader can do. */
const REASONS: Record<string, "noIndex" | "tooLong" | undefined> = {
  "index-unavailable": "noIndex",
  "body-too-long": "tooLong",
  invalid: "tooLong",
};

/** One line in the reader's language: what went wrong and what to do. The server's own sentences are for programs. */
function failure(fields: Fields, words: Words, isDown = false, wait = 0): Failure {
  const error = fieldsOf(fields["error"]);
  const code = textOf(error["code"]);
  const seconds = Number(error["retry_after"]) || (code ? 0 : wait);
  const line = seconds > 0 ? (isDown ? "later" : "busy") : (REASONS[code] ?? "failed");
  return new Failure(fill(words[line], seconds), isDown, code);
}

/** The seconds to wait that the header of a proxy says, as a number or as a time. Its body is no JSON. */
function secondsOf(header: string | null): number {
  const seconds = Number(header);
  return header && Number.isNaN(seconds) ? Math.ceil((Date.parse(header) - Date.now()) / 1000) : seconds;
}
