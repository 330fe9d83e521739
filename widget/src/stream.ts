/** Server-sent events, read incrementally from a fetch response. */

export interface ServerEvent {
  event: string;
  data: string;
}

/**
 * An incremental parser: `push` text as it arrives, `end` when no more comes. Work is linear in the text
 * whatever the chunks: unfinished lines are only joined, never searched again.
 */
export class EventParser {
  #line = "";
  #event = "";
  #data: string[] = [];
  #afterReturn = false;

  constructor(private readonly emit: (event: ServerEvent) => void) {}

  push(chunk: string): void {
    let start = 0;
    for (let i = 0; i < chunk.length; i++) {
      const code = chunk.charCodeAt(i);
      const newline = code === 10;
      if (newline && this.#afterReturn) {
        start = i + 1; // the second half of CRLF, perhaps of the chunk before
      } else if (newline || code === 13) {
        this.#take(this.#line + chunk.slice(start, i));
        this.#line = "";
        start = i + 1;
      }
      this.#afterReturn = code === 13;
    }
    this.#line += chunk.slice(start);
  }

  /** Servers in the field leave out the last blank line: what is complete is still delivered. */
  end(): void {
    if (this.#line) this.#take(this.#line);
    this.#line = "";
    this.#take("");
  }

  #take(line: string): void {
    if (!line) {
      if (this.#data.length) this.emit({ event: this.#event || "message", data: this.#data.join("\n") });
      this.#event = "";
      this.#data = [];
      return;
    }
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") this.#event = value;
    else if (field === "data") this.#data.push(value);
  }
}

/** Reads a body until `emit` returns true; false when it ended before that. */
export async function readEvents(
  body: ReadableStream<Uint8Array> | null,
  emit: (event: ServerEvent) => boolean,
): Promise<boolean> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  const state = { finished: false };
  const parser = new EventParser((event) => {
    state.finished ||= emit(event);
  });
  while (reader && !state.finished) {
    const { done, value } = await reader.read();
    parser.push(decoder.decode(value, { stream: !done }));
    if (!done) continue;
    parser.end();
    return state.finished;
  }
  void reader?.cancel().catch(() => undefined);
  return state.finished;
}
