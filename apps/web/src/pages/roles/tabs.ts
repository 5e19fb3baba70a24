export const TABS = { permissions: "Permissions", people: "Who has it" } as const;
