import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import type { AccountOperation } from "../accounts/account-handlers.ts";
import type { SchemaEnv } from "../stores.ts";
import { withCreationDefaults } from "./creation-defaults.ts";
import { merged } from "./merged.ts";
import { slices } from "./slices.ts";

/** A handler for every operation of the console API but those of one's own session, and the batch, which the router serves with these. */
export const consoleHandlers: Handlers<Omit<operations, AccountOperation | "batch">, SchemaEnv> = withCreationDefaults(
  merged(handlersOf(slices)),
);

function handlersOf<List extends { [name: string]: { handlers: object } }>(list: List) {
  const entries = Object.entries(list).map(([name, { handlers }]) => [name, handlers]);
  return Object.fromEntries(entries) as { [Name in keyof List]: List[Name]["handlers"] };
}
