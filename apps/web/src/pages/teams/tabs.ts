export const TABS = { team: "Team", history: "History" } as const;
