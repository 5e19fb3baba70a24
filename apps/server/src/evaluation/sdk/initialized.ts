import type { Schema } from "@gatehouse/contract/evaluation";
import type { InitializeResponse, User } from "@gatehouse/evaluation";
import { checksum } from "../checksum.ts";

/** What `initialize` answers beside the evaluations: what the server found out of the user, and a checksum by which the caller asks for the next. */
export function toInitialized(evaluated: InitializeResponse, { ip }: User): Schema<"InitializeResponse"> {
  const { time, ...rest } = evaluated;
  const answer = { ...rest, derived_fields: ip ? { ip } : {} };
  // Not of the time: it changes with everything in the project, and mostly with what is none of this user's concern.
  return { ...answer, time, full_checksum: checksum(JSON.stringify(answer)) } as Schema<"InitializeResponse">;
}
