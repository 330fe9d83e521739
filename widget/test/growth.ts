import assert from "node:assert/strict";

const TIMES = 16;
/** Quadratic work takes 256 times as long for sixteen times the text. */
const MOST = 100;
/** Milliseconds that a busy machine may take for linear work; only longer times are compared with that of a shorter text. */
const TELLING = 1500;

/**
 * Fails where the work for sixteen times the text takes far more than sixteen times as long. Another program slows some
 * runs down and never all of them, so the best of several counts.
 */
export function isLinear(work: (length: number) => void, length: number): void {
  const milliseconds = (size: number): number => {
    const started = performance.now();
    work(size);
    return performance.now() - started;
  };
  if (milliseconds(length) < TELLING) return;
  const [shorter, longer] = [length / TIMES, length].map((size) =>
    Math.min(...[1, 2, 3].map(() => milliseconds(size))),
  );
  assert.ok((longer ?? 0) < MOST * (shorter ?? 0), `${length}: ${longer} ms, a sixteenth: ${shorter} ms`);
}
