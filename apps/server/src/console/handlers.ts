import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { withCreationDefaults } from "./creation-defaults.ts";
import { merged } from "./merged.ts";
import { slices } from "./slices.ts";
import type { SchemaEnv } from "./stores.ts";

/** The operations of the caller's own session: those whose `x-permission` is `none` or `session`. `accounts/` serves them. */
export type AccountOperation =
  | "createSession"
  | "requestPasswordReset"
  | "checkToken"
  | "startDeviceLogin"
  | "redeemDeviceLogin"
  | "findDeviceLogin"
  | "approveDeviceLogin"
  | "rejectDeviceLogin"
  | "startPasskeySignIn"
  | "finishPasskeySignIn"
  | "getSecondFactors"
  | "startConfirmation"
  | "confirmSession"
  | "startTotpSetup"
  | "confirmTotp"
  | "deleteTotp"
  | "startPasskeyCreation"
  | "createPasskey"
  | "patchPasskey"
  | "deletePasskey"
  | "createRecoveryCodes"
  | "redeemToken"
  | "getSignInMethods"
  | "startSingleSignOn"
  | "finishSingleSignOn"
  | "getSession"
  | "deleteSession"
  | "updateSession"
  | "changePassword"
  | "listSessions"
  | "endSession"
  | "listNotifications"
  | "markNotifications"
  | "getNotificationSettings"
  | "updateNotificationSettings";

/**
 * Operations that contain requests of other operations or execute stored ones, which the router serves with their handlers, the stream,
 * which lasts as long as its caller listens, and files.
 */
type ServedByRouter =
  | "batch"
  | "applyProject"
  | "commitReview"
  | "updateReview"
  | "evaluateUsers"
  | "streamChanges"
  | "downloadReport"
  | "downloadUnitData"
  | "downloadUsage";

/** A handler for every operation of the console API but those of one's own session, and those that the router serves. */
export const consoleHandlers: Handlers<Omit<operations, AccountOperation | ServedByRouter>, SchemaEnv> = withCreationDefaults(
  merged(collectHandlers(slices)),
);

function collectHandlers<List extends { [name: string]: { handlers: object } }>(list: List) {
  const entries = Object.entries(list).map(([name, { handlers }]) => [name, handlers]);
  return Object.fromEntries(entries) as { [Name in keyof List]: List[Name]["handlers"] };
}
