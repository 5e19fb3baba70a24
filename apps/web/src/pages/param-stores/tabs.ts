export const TABS = { parameters: "Parameters", history: "History", details: "Details" } as const;
