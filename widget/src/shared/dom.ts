/** Building elements. Children that are strings become text nodes, never markup. */

/** Creates an element; `name` is its style class and its part. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  name = "",
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (name) {
    element.className = name;
    element.setAttribute("part", name);
  }
  element.append(...children);
  return element;
}

/** Creates a button; `label` says more than its text if the text is short. */
export function button(text: string, name: string, onClick: () => void, label = ""): HTMLButtonElement {
  const element = h("button", name, text);
  element.type = "button";
  element.onclick = onClick;
  if (label) element.ariaLabel = label;
  return element;
}

/** The characters of an element's content that go into its name for screen readers, which can also read all of it. */
const MAX_NAME = 60;

/** Lets the keyboard reach what scrolls sideways, and names it: by what it is, and how it begins. */
export function scrollable(element: HTMLElement, kind: string[], content: string): HTMLElement {
  const begin = content.trim().split("\n", 1)[0]?.slice(0, MAX_NAME);
  element.tabIndex = 0;
  // Not `region`, which is a landmark: a conversation has many of these, some with the same name.
  element.role = "group";
  element.ariaLabel = [kind.filter(Boolean).join(" "), begin].filter(Boolean).join(": ");
  return element;
}

/** A style sheet from text; constructable sheets pass a policy of `style-src 'self'`. */
export function sheet(css: string): CSSStyleSheet {
  const styles = new CSSStyleSheet();
  styles.replaceSync(css);
  return styles;
}

/** Keeps letters that are typed in the panel from the theme's hotkeys (`s`, `f`, `/`); Esc still reaches the page. */
export function keepKeys(panel: HTMLElement): void {
  for (const type of ["keydown", "keypress", "keyup"] as const) {
    panel.addEventListener(type, (event) => {
      if (event.key !== "Escape") event.stopPropagation();
    });
  }
}
