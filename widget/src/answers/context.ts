import type { Exchange } from "../conversation/conversation";
import type { LinkRoots } from "../shared/address";
import type { Words } from "../shared/words";

/** What the modules that draw answers need from the panel. */

/** What is needed to draw links. */
export interface Context {
  options: LinkRoots;
  words: Words;
}

/** What is needed to draw an exchange. */
export interface ExchangeContext extends Context {
  /** The build of these pages, "" while it is not known. */
  generation: string;
  retry: (exchange: Exchange) => void;
  /** Saves the exchanges after the reader has opened a card or rated an answer. */
  keep: () => void;
}
