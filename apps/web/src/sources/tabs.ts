export const TABS = { source: "Source", history: "History", details: "Details" } as const;
