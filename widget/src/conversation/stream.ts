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
  #inReturn = false;

  constructor(private readonly emit: (event: ServerEvent) => void) {}

  push(chunk: string): void {
    if (!chunk) return;
    // A chunk may end in the middle of CRLF.
    const [first = "", ...lines] = chunk.slice(Number(this.#inReturn && chunk[0] === "\n")).split(/\r\n?|\n/);
    this.#inReturn = chunk.endsWith("\r");
    this.#line += first;
    for (const line of lines) {
      this.#take(this.#line);
      this.#line = line;
    }
  }

  /** Ends the text. Some servers leave out the last blank line, so the last event is emitted without it. */
  end(): void {
    this.push("\n\n");
  }

  #take(line: string): void {
    if (!line) {
      if (this.#data.length) this.emit({ event: this.#event || "message", data: this.#data.join("\n") });
      this.#event = "";
      this.#data = [];
      return;
    }
    // Comments and other fields are skipped.
    const [, field, value = ""] = /^(event|data)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === "event") this.#event = value;
    else if (field) this.#data.push(value);
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
