import { h } from "../shared/dom";
import { attempt } from "../shared/session-storage";

/** The edge between the panel and the page: pulled with the pointer, or moved with the arrow keys. */

const KEY = "trueref-width";
const STEP = 32;
const MIN_WIDTH = 340;
/** The width of the page that the panel leaves free. */
const MIN_PAGE = 360;

export function widthEdge(host: HTMLElement, panel: HTMLElement, name: string): HTMLElement {
  const edge = h("div", "edge");
  const most = (): number => Math.max(MIN_WIDTH, innerWidth - MIN_PAGE);
  const isRight = (): boolean => panel.getBoundingClientRect().left > 0;
  const set = (width: number): void => {
    const given = Math.round(Math.min(Math.max(width, MIN_WIDTH), most()));
    host.style.setProperty("--_width", `${given}px`);
    attempt(() => {
      localStorage.setItem(KEY, String(given));
    });
  };
  Object.assign(edge, { role: "separator", tabIndex: 0, ariaLabel: name, ariaValueMin: MIN_WIDTH });
  edge.ariaOrientation = "vertical";
  edge.onpointerdown = ({ pointerId }) => {
    edge.setPointerCapture(pointerId);
  };
  edge.onpointermove = ({ pointerId, clientX }) => {
    if (!edge.hasPointerCapture(pointerId)) return;
    const { left, right } = panel.getBoundingClientRect();
    set(left > 0 ? right - clientX : clientX - left);
  };
  edge.onkeydown = (event) => {
    // The edge moves where the arrow points. On the right side of the page the panel gets wider to the left.
    const [now, away] = [panel.offsetWidth, isRight() ? STEP : -STEP];
    const widths = { ArrowLeft: now + away, ArrowRight: now - away, Home: MIN_WIDTH, End: most() };
    const width = (widths as Record<string, number>)[event.key];
    if (!width) return;
    event.preventDefault();
    set(width);
  };
  attempt(() => {
    const kept = Number(localStorage.getItem(KEY));
    if (kept) set(kept);
  });
  new ResizeObserver(() => {
    Object.assign(edge, { ariaValueNow: panel.offsetWidth, ariaValueMax: most() });
  }).observe(panel);
  return edge;
}
