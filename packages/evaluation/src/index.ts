export type * from "./evaluator.ts";
export type * from "./ruleset.ts";
export type { User } from "./user.ts";
