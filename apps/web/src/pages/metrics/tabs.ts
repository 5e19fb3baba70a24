export const TABS = { definition: "Definition", history: "History", "used-by": "Used by", details: "Details" } as const;
