import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import type { SignedInEnv } from "../account-env.ts";
import { confirmTotp, removeTotp, startTotpSetup } from "./authenticator-app.ts";
import { confirm, startConfirmation } from "./confirmation.ts";
import { createRecoveryCodes, readFactors } from "./own-factors.ts";
import { changePasskey, createPasskey, removePasskey, startPasskeyCreation, toShown } from "./own-passkeys.ts";

const CHALLENGED = "Challenge created successfully.";

/** The operations on the caller's own second factors. */
export const secondFactorHandlers = {
  async getSecondFactors(env) {
    return { status: 200, body: { message: "Second factors read successfully.", data: await readFactors(env) } };
  },

  async startConfirmation(env) {
    return { status: 200, body: { message: CHALLENGED, data: await startConfirmation(env) } };
  },

  async confirmSession({ body, ...env }) {
    await confirm(body, env);
    return { status: 200, body: { message: "Session confirmed successfully." } };
  },

  async startTotpSetup(env) {
    return { status: 200, body: { message: "Set-up started successfully.", data: await startTotpSetup(env) } };
  },

  async confirmTotp({ body, ...env }) {
    await confirmTotp(body.code, env);
    return { status: 200, body: { message: "Authenticator app set up successfully." } };
  },

  async deleteTotp(env) {
    await removeTotp(env);
    return { status: 200, body: { message: "Authenticator app removed successfully." } };
  },

  async startPasskeyCreation(env) {
    return { status: 200, body: { message: CHALLENGED, data: await startPasskeyCreation(env) } };
  },

  async createPasskey({ body, ...env }) {
    const data = toShown(await createPasskey(body, env));
    return { status: 200, body: { message: "Passkey created successfully.", data } };
  },

  async patchPasskey({ path, body, ...env }) {
    const data = toShown(await changePasskey(path.id, body.name, env));
    return { status: 200, body: { message: "Passkey updated successfully.", data } };
  },

  async deletePasskey({ path, ...env }) {
    await removePasskey(path.id, env);
    return { status: 200, body: { message: "Passkey removed successfully." } };
  },

  async createRecoveryCodes(env) {
    const data = { codes: await createRecoveryCodes(env) };
    return { status: 200, body: { message: "Recovery codes created successfully.", data } };
  },
} satisfies Partial<Handlers<operations, SignedInEnv>>;
