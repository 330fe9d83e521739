import type { Options } from "../pill/options";
import { readAnswer, type Answer } from "../shared/answer";
import type { Words } from "../shared/words";
import { ask, Failure, type Question } from "./ask";

/** Asks the server; if there is none, or it is down, searches in the files that the build left beside the site. */
export async function askOrSearch(
  { server, base }: Options,
  question: Question,
  answer: Answer,
  words: Words,
  signal: AbortSignal,
  changed: () => void,
): Promise<void> {
  let down: Failure | null = null;
  if (server) {
    try {
      await ask(server, question, answer, words, signal, changed);
      return;
    } catch (error) {
      if (!(error instanceof Failure && error.isDown)) throw error;
      down = error;
    }
  }
  try {
    const { answerStatically } = await import("../trueref-static.js");
    const note = down ? words.standIn : "";
    Object.assign(answer, readAnswer(await answerStatically(base, question, note, words.missing, signal)));
  } catch (error) {
    // If the search fails too, the reader sees the server's failure: that is the one that can be mended.
    throw signal.aborted ? error : (down ?? new Failure(words.notLoaded));
  }
}
