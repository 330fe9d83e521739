import { button, h } from "../shared/dom";
import type { Words } from "../shared/words";

/** The characters of a question that the server takes. */
const MAX_QUESTION = 2000;

/** The field where the question is typed, with Send, or Stop while an answer comes in. */
export class Composer {
  readonly element: HTMLFormElement;
  readonly #input: HTMLTextAreaElement;
  readonly #send: HTMLButtonElement;
  readonly #stop: HTMLButtonElement;

  constructor(
    private readonly words: Words,
    private readonly onSend: (question: string) => void,
    onStop: () => void,
  ) {
    const input = (this.#input = h("textarea", "input"));
    input.rows = 1;
    input.placeholder = words.placeholder;
    input.ariaLabel = words.question;
    input.enterKeyHint = "send";
    this.#send = button(words.send, "send", () => {
      this.#submit();
    });
    this.#stop = button(words.stop, "stop", () => {
      onStop();
      this.focus();
    });
    // The browser never submits the form: its buttons are plain ones, and Enter is handled below.
    this.element = h("form", "", input, this.#send, this.#stop);
    input.onkeydown = (event) => {
      this.#onKey(event);
    };
    input.oninput = () => {
      input.setCustomValidity("");
      this.#grow();
    };
    this.busy = false;
  }

  /** While an answer comes in, the reader can type, but not send. */
  set busy(busy: boolean) {
    const focused = this.element.querySelector("button:focus");
    this.#send.hidden = busy;
    this.#stop.hidden = !busy;
    if (focused) this.focus();
  }

  get busy(): boolean {
    return this.#send.hidden;
  }

  /** Puts a question that could not be asked back into the field. */
  set text(text: string) {
    this.#input.value = text;
    this.#grow();
  }

  focus(): void {
    this.#input.focus({ preventScroll: true });
  }

  #onKey(event: KeyboardEvent): void {
    // While an input method composes, Enter picks a candidate; Safari only says so by the code 229.
    // eslint-disable-next-line @typescript-eslint/no-deprecated
    const composing = event.isComposing || event.keyCode === 229;
    if (event.key !== "Enter" || event.shiftKey || composing) return;
    event.preventDefault();
    this.#submit();
  }

  #submit(): void {
    const question = this.#input.value.trim();
    if (!question || this.busy) {
      this.focus();
      return;
    }
    // A field that takes no more would cut off the end of what is pasted, where the question often stands.
    if (question.length > MAX_QUESTION) {
      this.#input.setCustomValidity(this.words.tooLong);
      this.#input.reportValidity();
      return;
    }
    this.#input.value = "";
    this.#grow();
    this.onSend(question);
  }

  #grow(): void {
    this.#input.style.height = "auto";
    this.#input.style.height = `${this.#input.scrollHeight}px`;
  }
}
