export const TABS = { details: "Details", history: "History" } as const;
