import assert from "node:assert/strict";

const TIMES = 16;
/** Quadratic work takes 256 times as long for sixteen times the text. */
const MOST = 100;
/** Milliseconds below which a clock tells nothing. */
const TELLING = 40;

/**
 * Fails where the work for sixteen times the text takes far more than sixteen times as long. Another program slows some runs
 * down and never all of them, so the best of several counts.
 */
export function isLinear(work: (length: number) => void, length: number): void {
  const best = (size: number): number => {
    let least = Infinity;
    for (let run = 0; run < 3; run++) {
      const started = performance.now();
      work(size);
      least = Math.min(least, performance.now() - started);
    }
    return least;
  };
  const [shorter, longer] = [best(length / TIMES), best(length)];
  assert.ok(
    longer < MOST * Math.max(shorter, TELLING / TIMES),
    `${length}: ${longer} ms, a sixteenth: ${shorter} ms`,
  );
}
