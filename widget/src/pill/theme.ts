const DARK = "(prefers-color-scheme:dark)";

/** Whether the page looks dark right now: by the theme's own switch, else by the colour of its background. */
export function isDark(): boolean {
  const html = document.documentElement;
  const scheme = document.body.dataset["mdColorScheme"] ?? html.dataset["theme"];
  if (scheme === "slate" || scheme === "dark" || html.matches(".dark")) return true;
  if (scheme === "default" || scheme === "light") return false;
  // A site with one fixed scheme has no switch: the colour of its background decides. If that is transparent, the
  // browser's preference does.
  const painted = /^rgba?\((\d+), (\d+), (\d+)(?!, 0\))/.exec(
    getComputedStyle(document.body).backgroundColor,
  );
  if (painted) return Number(painted[1]) * 2 + Number(painted[2]) * 5 + Number(painted[3]) < 1024;
  return matchMedia(DARK).matches;
}

/** Sets the host's `dark` attribute whenever the page turns dark or light, until `signal` aborts. */
export function followTheme(host: HTMLElement, signal: AbortSignal): void {
  const update = (): void => void host.toggleAttribute("dark", isDark());
  const observer = new MutationObserver(update);
  for (const element of [document.documentElement, document.body])
    observer.observe(element, { attributeFilter: ["class", "data-theme", "data-md-color-scheme"] });
  matchMedia(DARK).addEventListener("change", update, { signal });
  signal.addEventListener("abort", () => {
    observer.disconnect();
  });
  update();
}
