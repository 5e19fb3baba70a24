export const TABS = {
  held: "Who is held out",
  overrides: "Overrides",
  results: "Results",
  history: "History",
  "used-by": "Used by",
  details: "Details",
} as const;
