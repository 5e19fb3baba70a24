import type { Schema } from "@gatehouse/contract/evaluation";
import type { User } from "@gatehouse/evaluation";
import type { Caller } from "../binding.ts";
import { deviceFields, withDeviceFields } from "../device-fields.ts";
import { readDevice } from "../user.ts";

type UserInput = Schema<"EvaluatedUser"> | null | undefined;
type Metadata = Schema<"CallMetadata"> | undefined;

/** The user of a call. SDKs send the device's stableID beside the user, and those of mobile apps its other fields. */
export function calledUser(given: UserInput, metadata: Metadata, caller: Caller): User {
  const user: User = { ...withDeviceFields(given ?? {}, deviceFields(metadata)) };
  const device = readDevice(caller);
  if (device) {
    user.ip ??= device.ip;
    user.userAgent ??= device.userAgent;
  }
  const { stableID } = metadata ?? {};
  if (typeof stableID === "string" && user.customIDs?.stableID === undefined) user.customIDs = { ...user.customIDs, stableID };
  return user;
}
