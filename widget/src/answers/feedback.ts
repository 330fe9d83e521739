import type { Exchange } from "../conversation/conversation";
import { button, h } from "../shared/dom";
import type { ExchangeContext } from "./context";

/** Asks whether an answer was helpful and, if the reader likes, why. Only if the server says that it keeps this. */

const MAX_REASON = 1000;

/** The name of the event on `<trueref-chat>` that carries what is sent. */
const EVENT = "trueref-feedback";

export function feedbackOf(exchange: Exchange, context: ExchangeContext): HTMLElement {
  const { words, options, keep } = context;
  const reply = h("p", "thanks");
  let latest: object;
  const send = async (reason: string): Promise<boolean> => {
    const { answer_id, helpful } = exchange;
    const detail = { answer_id, helpful, ...(reason && { reason }) };
    latest = detail;
    group.dispatchEvent(new CustomEvent(EVENT, { detail, bubbles: true, composed: true }));
    const sent = await post(`${options.server}/feedback`, detail);
    // The response to the rating alone may arrive after the response to its reason.
    if (latest === detail) {
      reply.textContent = sent ? reason && words.thanks : words.unsent;
      reply.classList.toggle("error", !sent);
      if (reply.textContent) reply.scrollIntoView({ block: "nearest" });
    }
    return sent;
  };
  const why = reasonForm(context, send, () => choices.find(({ ariaPressed }) => ariaPressed === "true"));
  const choices = [true, false].map((helpful) => {
    const choice = button(helpful ? words.yes : words.no, helpful ? "yes" : "no", () => {
      exchange.helpful = helpful;
      keep();
      show();
      why.hidden = false;
      void send("");
    });
    return choice;
  });
  const show = (): void => {
    choices.forEach((choice, i) => {
      choice.ariaPressed = String(exchange.helpful === !i);
    });
  };
  const group = h("div", "feedback", h("span", "", words.helpful), ...choices, why, reply);
  group.role = "group";
  group.ariaLabel = words.helpful;
  reply.role = "status";
  show();
  return group;
}

/** The field for the reason, hidden until the reader has chosen a rating, whose button gets the focus back. */
function reasonForm(
  { words }: ExchangeContext,
  send: (reason: string) => Promise<boolean>,
  pressed: () => HTMLElement | undefined,
): HTMLFormElement {
  const field = h("input", "reason");
  field.placeholder = field.ariaLabel = words.reason;
  field.maxLength = MAX_REASON;
  const tell = button(words.send, "tell", () => undefined);
  tell.type = "submit";
  // The field for questions has a button of this name too.
  tell.ariaLabel = `${words.send}: ${words.helpful}`;
  const form = h("form", "why", field, tell);
  form.hidden = true;
  form.onsubmit = (event) => {
    event.preventDefault();
    const reason = field.value.trim();
    if (reason)
      void send(reason).then((sent) => {
        const focused = form.matches(":focus-within");
        form.hidden = sent;
        if (sent && focused) pressed()?.focus();
      });
  };
  return form;
}

async function post(address: string, body: object): Promise<boolean> {
  try {
    const headers = { "Content-Type": "application/json" };
    // The request goes on (`keepalive`) if the reader leaves the page meanwhile.
    return (await fetch(address, { method: "POST", headers, body: JSON.stringify(body), keepalive: true }))
      .ok;
  } catch {
    return false;
  }
}
