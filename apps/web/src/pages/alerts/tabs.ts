export const TABS = {
  status: "Status",
  definition: "Definition",
  history: "History",
  details: "Details",
} as const;
