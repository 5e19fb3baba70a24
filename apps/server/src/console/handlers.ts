import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import type { SchemaEnv } from "../stores.ts";
import { withCreationDefaults } from "./creation-defaults.ts";
import { merged } from "./merged.ts";
import { slices } from "./slices.ts";

/** A handler for every operation of the console API. */
export const consoleHandlers: Handlers<operations, SchemaEnv> = withCreationDefaults(merged(handlersOf(slices)));

function handlersOf<List extends { [name: string]: { handlers: object } }>(list: List) {
  const entries = Object.entries(list).map(([name, { handlers }]) => [name, handlers]);
  return Object.fromEntries(entries) as { [Name in keyof List]: List[Name]["handlers"] };
}
