import { hash } from "node:crypto";
import type { Schema } from "@gatehouse/contract/evaluation";
import type { InitializeResponse, User } from "@gatehouse/evaluation";
import { withoutPrivate } from "./called-user.ts";

/** What `initialize` answers beside the evaluations: whom they are for, and a checksum by which the caller asks for the next. */
export function toInitialized(evaluated: InitializeResponse, user: User): Schema<"InitializeResponse"> {
  const { time, ...rest } = evaluated;
  const answer = {
    ...rest,
    sdkParams: {},
    evaluated_keys: evaluatedKeys(user),
    derived_fields: user.ip ? { ip: user.ip } : {},
    user: withoutPrivate(user),
  };
  // Not of the time: it changes with everything in the project, and mostly with what is none of this user's concern.
  const checksum = hash("sha256", JSON.stringify(answer), "base64url").slice(0, 22);
  return { ...answer, has_updates: true, time, full_checksum: checksum } as Schema<"InitializeResponse">;
}

function evaluatedKeys({ userID, customIDs }: User): Record<string, unknown> {
  const hasUserID = userID !== undefined && userID !== null && userID !== "";
  const hasCustomIDs = Object.keys(customIDs ?? {}).length > 0;
  return { ...(hasUserID && { userID }), ...(hasCustomIDs && { customIDs }) };
}
