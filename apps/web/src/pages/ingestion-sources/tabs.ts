export const TABS = { source: "Source", days: "Copied days", history: "History", details: "Details" } as const;
