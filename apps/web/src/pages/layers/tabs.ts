export const TABS = {
  buckets: "Buckets",
  parameters: "Parameters",
  overrides: "Overrides",
  history: "History",
  "used-by": "Used by",
  details: "Details",
} as const;
