export const TABS = {
  learning: "Learning",
  variants: "Variants",
  settings: "Settings",
  history: "History",
  details: "Details",
} as const;
