export const TABS = { definition: "Definition", history: "History", "used-by": "Used by", details: "Details" } as const;

/** An automatic metric has neither versions nor details that somebody could change. */
export const AUTOMATIC_TABS = { definition: TABS.definition, "used-by": TABS["used-by"] } as const;
