// The corrections for many comparisons that an address can name. Pure.

export const CORRECTIONS = [
  "none",
  "bonferroni-groups",
  "bonferroni-metrics",
  "bonferroni-both",
  "holm-groups",
  "holm-metrics",
  "holm-both",
  "benjamini-groups",
  "benjamini-metrics",
  "benjamini-both",
] as const;
export type Correction = (typeof CORRECTIONS)[number];
