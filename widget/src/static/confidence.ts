import type { Verdict } from "../shared/answer";

/**
 * What tells whether the first card answers.
 *
 * `share` is the share of the question's words that its passage has, each counted by its rareness, and `found` how many
 * words these are, of which one that no more than one section has counts as 1. `margin` is how far the first section
 * stands before the last one that was compared, and `cosine` how near the passage is to the question, 0 if there are no
 * vectors.
 */
export interface Features {
  share: number;
  found: number;
  margin: number;
  cosine: number;
}

// The weights of a logistic curve. scripts/fit_static_confidence.py fits them: see docs/decisions/static-search.md.
export const WEIGHTS: Features = { share: 2.7, found: 0.65, margin: 3, cosine: 2.5 };
export const CONSTANT = -7;

/** More words say no more. Half of a long question says more than half of a short one. */
const MAX_FOUND = 3;
/** A larger margin says no more: on a site of a few sections nearly all margins are large. */
const MAX_MARGIN = 0.8;
/** Takes the place of the cosine where there are no vectors. Half of the questions have more. */
const USUAL_COSINE = 0.68;
/** With less of the question's words a passage is not shown, whatever else speaks for it. */
const MIN_SHARE = 0.18;
/** The least confidence of an answer, as on a server: `ANSWER_FROM` in confidence.py. */
export const ANSWER_FROM = 0.3;
/**
 * The least confidence of the closest passage. On a server it is 0.05; here fewer first cards answer, and so many
 * questions that the docs answer would get none.
 */
export const CLOSEST_FROM = 0.03;

/** The features as the curve takes them, within their bounds. */
export const bounded = ({ share, found, margin, cosine }: Features): Features => ({
  share,
  found: Math.min(MAX_FOUND, found),
  margin: Math.min(MAX_MARGIN, margin),
  cosine: cosine || USUAL_COSINE,
});

/** How likely it is that the first card answers, 0 to 1. */
export function confidenceOf(features: Features): number {
  if (features.share < MIN_SHARE) return 0;
  const { share, found, margin, cosine } = bounded(features);
  const ofWords = WEIGHTS.share * share + WEIGHTS.found * found;
  const odds = CONSTANT + ofWords + WEIGHTS.margin * margin + WEIGHTS.cosine * cosine;
  return 1 / (1 + Math.exp(-odds));
}

export const verdictOf = (confidence: number): Verdict =>
  confidence < CLOSEST_FROM ? "not-found" : confidence < ANSWER_FROM ? "closest" : "answer";
