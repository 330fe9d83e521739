import { Window } from "happy-dom";

/** A document without a browser; imported for its effect, before what builds elements. */
const window = new Window({ url: "https://docs.example/site/setup/" });
Object.assign(globalThis, {
  addEventListener: window.addEventListener.bind(window),
  window,
  document: window.document,
  HTMLElement: window.HTMLElement,
  HTMLOListElement: window.HTMLOListElement,
  location: window.location,
  sessionStorage: window.sessionStorage,
});
