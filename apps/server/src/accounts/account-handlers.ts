import type { Handlers, OperationResult } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { notFound } from "../common/errors.ts";
import { pageThrough } from "../console/common/page.ts";
import type { AccountOperation } from "../console/handlers.ts";
import { reading, writing } from "../store/database/unit-of-work.ts";
import { endSession, listSessions } from "../tokens/person-sessions-store.ts";
import { toAccount } from "./account.ts";
import type { AccountEnv, Redirecting, SignedInEnv, WithSession } from "./account-env.ts";
import { deviceHandlers, deviceLoginHandlers } from "./device-logins/device-login-handlers.ts";
import { noteSession } from "./note-session.ts";
import { notificationHandlers } from "./notification-handlers.ts";
import { requestReset } from "./password-reset-requests.ts";
import { finishPasskeySignIn, startPasskeySignIn } from "./second-factors/passkey-sign-in.ts";
import { secondFactorHandlers } from "./second-factors/second-factor-handlers.ts";
import { type Begun, changeAccount, changePassword, checkToken, redeem, signIn } from "./sign-in.ts";
import { finishSignIn, requireProvider } from "./single-sign-on.ts";

type Beginning = (OperationResult<operations["createSession"]> & OperationResult<operations["redeemToken"]>) & WithSession;

function begun({ secret, session }: Begun, env: AccountEnv): Beginning {
  const { endsTime } = session;
  const data = toAccount(session, env.secondFactors);
  return { status: 200, body: { message: "Signed in successfully.", data }, session: { secret, endsTime } };
}

type Redirection = OperationResult<operations["startSingleSignOn"]> & Redirecting;

/** The operations that need no credentials. */
const openHandlers = {
  ...deviceHandlers,

  createSession: async ({ body, ...env }) => begun(await signIn(body, env), env),
  redeemToken: async ({ body, ...env }) => begun(await redeem(body, env), env),
  finishPasskeySignIn: async ({ body, ...env }) => begun(await finishPasskeySignIn(body.passkey, env), env),

  async checkToken({ body, ...env }) {
    return { status: 200, body: { message: "Token checked successfully.", data: await checkToken(body.token, env) } };
  },

  async startPasskeySignIn(env) {
    return { status: 200, body: { message: "Challenge created successfully.", data: await startPasskeySignIn(env) } };
  },

  async requestPasswordReset({ body, ...env }) {
    await requestReset(body.email, env);
    return { status: 200, body: { message: "If the address belongs to a person with a password, they get an email with a link." } };
  },

  async getSignInMethods({ passwordSignIn: password, provider, secondFactors, database }: AccountEnv) {
    const passkey = password && secondFactors.relyingParty !== undefined;
    const data = { password, passkey, singleSignOn: provider !== undefined, passwordReset: password && database.db.emails !== undefined };
    return { status: 200, body: { message: "Sign-in methods read successfully.", data } };
  },

  async startSingleSignOn(env): Promise<Redirection> {
    const { url, state } = await requireProvider(env).begin();
    return { status: 303, body: undefined, location: url.href, signInState: state };
  },

  async finishSingleSignOn(env): Promise<Redirection & WithSession> {
    const { session } = begun(await finishSignIn(env.url, env.signInState, env), env);
    return { status: 303, body: undefined, location: `${env.baseUrl}/`, signInState: null, session };
  },
} satisfies Partial<Handlers<operations, AccountEnv>>;

/** The operations of a person who is signed in. */
const signedInHandlers = {
  ...secondFactorHandlers,
  ...notificationHandlers,
  ...deviceLoginHandlers,

  async getSession({ session, secondFactors }) {
    return { status: 200, body: { message: "Account read successfully.", data: toAccount(session, secondFactors) } };
  },

  async deleteSession({ session, ...env }) {
    await writing(env.database, async (db) => {
      await endSession(db, session.person.id, session.id);
      await noteSession(db, session, "Signed out.", { ...env, operationID: "deleteSession" });
    });
    const body = { message: "Signed out successfully." };
    return { status: 200, body, session: { secret: "", endsTime: 0 } };
  },

  async updateSession({ body, ...env }) {
    const session = await changeAccount(body, env);
    return { status: 200, body: { message: "Account updated successfully.", data: toAccount(session, env.secondFactors) } };
  },

  async changePassword({ body, ...env }) {
    await changePassword(body, env);
    return { status: 200, body: { message: "Password changed successfully." } };
  },

  async listSessions({ query, session, database, now, limits }) {
    const sessions = await reading(database, (db) => listSessions(db, session.person.id, now, limits));
    const marked = sessions.map((one) => ({ ...one, isCurrent: one.id === session.id }));
    return { status: 200, body: { message: "Sessions listed successfully.", ...pageThrough("/console/v1/sessions", query, marked) } };
  },

  async endSession({ path: { id }, session: { person }, ...env }) {
    await writing(env.database, async (db) => {
      if (!(await endSession(db, person.id, id))) throw notFound("Session", id);
      await noteSession(db, { person, id }, "Ended.", { ...env, operationID: "endSession" });
    });
    return { status: 200, body: { message: "Session ended successfully." } };
  },
} satisfies Partial<Handlers<operations, SignedInEnv>>;

/** A handler for every operation whose `x-permission` is `none` or `session`. */
export const accountHandlers = { ...openHandlers, ...signedInHandlers } satisfies Record<AccountOperation, unknown>;
