import type { Schema } from "@gatehouse/contract/evaluation";
import type { User } from "@gatehouse/evaluation";
import type { Caller } from "../binding.ts";
import { readDevice } from "../user.ts";

type UserInput = Schema<"EvaluatedUser"> | null | undefined;
type Metadata = Schema<"CallMetadata"> | undefined;

/** The user of a call. SDKs in browsers send the device's stableID beside the user. */
export function calledUser(given: UserInput, metadata: Metadata, caller: Caller): User {
  const user: User = { ...given };
  const device = readDevice(caller);
  if (device) {
    user.ip ??= device.ip;
    user.userAgent ??= device.userAgent;
  }
  const { stableID } = metadata ?? {};
  if (typeof stableID === "string" && user.customIDs?.stableID === undefined) user.customIDs = { ...user.customIDs, stableID };
  return user;
}
