import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import { AppError, conflict, invalid, notFound, unauthorized } from "../../common/errors.ts";
import { randomID } from "../../common/identifier.ts";
import { type Db, reading, repeating, writing } from "../../store/database/unit-of-work.ts";
import type { AccountEnv, SignedInEnv } from "../account-env.ts";
import { toNetwork, tooMany } from "../attempts.ts";
import { noteSession } from "../note-session.ts";
import { findAccess } from "../person-access-store.ts";
import { writeAccount } from "../write-account.ts";
import { createDeviceKey } from "./device-key.ts";
import { type DeviceLogin, isApprovedAs, stateAt } from "./device-login.ts";
import { askedTooOften, countDeviceLogin, countingWrongCodes, countUnknownCode, discountDeviceLogin } from "./device-login-limits.ts";
import * as store from "./device-login-store.ts";
import { randomUserCode, readUserCode, showUserCode, USER_CODE_RULE } from "./user-code.ts";

/** How long a person can approve a login and the device can redeem it. */
const LIFETIME_MS = 10 * 60 * 1000;
/** The shortest time between two requests of a device. */
const INTERVAL_S = 5;
/** How often a code that another login has is replaced. */
const MAX_CODES = 5;
const DEFAULT_KEY_DAYS = 90;

const UNKNOWN_DEVICE = "The device code is not valid. Start another login.";
const UNKNOWN_CODE = "No open login has this code. Compare it with the code in your terminal, or start another login there.";
const GONE = "The person who approved the login can no longer access the project.";

/** @throws AppError too_many_requests, unavailable */
export async function startLogin(
  host: string,
  { database, now, ownAddress: address, baseUrl }: AccountEnv,
): Promise<Schema<"DeviceLoginCodes">> {
  await countDeviceLogin(database, address);
  const next = await reading(database, (db) => store.nextStart(db, now));
  if (next !== undefined) {
    await discountDeviceLogin(database, address);
    throw tooMany(next - now, "device logins");
  }
  const endsTime = now + LIFETIME_MS;
  for (let attempt = 1; attempt <= MAX_CODES; attempt += 1) {
    const [deviceCode, userCode] = [`device-${randomID()}${randomID()}`, randomUserCode()];
    const login = { deviceCode, userCode, host, address, createdTime: now, endsTime };
    if (!(await repeating(database, (db) => store.insertDeviceLogin(db, login)))) continue;
    const verificationUrl = `${baseUrl}/device`;
    return { deviceCode, userCode: showUserCode(userCode), verificationUrl, expiresTime: endsTime, interval: INTERVAL_S };
  }
  throw new AppError("unavailable", "No code was free. Try again shortly.");
}

/** @throws AppError unauthorized, forbidden, too_many_requests, unavailable */
export async function redeemLogin(deviceCode: string, env: AccountEnv): Promise<Schema<"DeviceLoginProgress">> {
  const { database, now, origin } = env;
  const found = await reading(database, (db) => store.findDeviceLogin(db, store.byDeviceCode(deviceCode)));
  if (!found) {
    await countUnknownCode(database, origin.address);
    throw unauthorized(UNKNOWN_DEVICE);
  }
  const state = stateAt(found, now);
  if (state === "pending") await requireInterval(found, env);
  if (state !== "approved") return { status: state, key: null };
  const key = await writeAccount(database, (db) => createKeyOnce(db, found, env));
  if (key !== null) await discountDeviceLogin(database, found.address);
  return { status: "completed", key };
}

async function requireInterval({ id }: DeviceLogin, { database, now }: AccountEnv): Promise<void> {
  const intervalMs = INTERVAL_S * 1000;
  const last = await repeating(database, (db) => store.notePoll(db, id, now, intervalMs));
  if (last !== undefined) throw askedTooOften(last + intervalMs - now);
}

/** Of several requests at once, one gets the key. */
async function createKeyOnce(db: Db, { id }: DeviceLogin, env: AccountEnv): Promise<string | null> {
  const login = await store.findDeviceLogin(db, store.byID(id), { lock: true });
  if (login?.state === "completed") return null;
  const approval = login?.approval;
  const access = approval && (await findAccess(db, approval.personID, approval.projectID));
  if (!access) throw new AppError("forbidden", GONE);
  const secret = await createDeviceKey(db, login, approval, access, env);
  await store.end(db, id, "completed");
  return secret;
}

/** @throws AppError invalid_request, not_found, too_many_requests, unavailable */
export async function findLogin(userCode: string, { database, now, ownAddress, session }: SignedInEnv): Promise<Schema<"DeviceLogin">> {
  const code = readUserCode(userCode);
  if (code === undefined) throw invalid([{ property: "userCode", errorMessage: USER_CODE_RULE }]);
  const find = () => reading(database, (db) => store.findDeviceLogin(db, store.openByUserCode(code, now)));
  const found = await countingWrongCodes(database, session.person.id, find);
  if (!found) throw new AppError("not_found", UNKNOWN_CODE);
  const { id, host, address, createdTime, endsTime: expiresTime } = found;
  const network = toNetwork(address);
  const isFromYourNetwork = network !== "unknown" && network === toNetwork(ownAddress);
  return { id, host, address, isFromYourNetwork, createdTime, expiresTime };
}

/** @throws AppError forbidden, not_found, conflict, unavailable */
export async function approveLogin(id: string, given: WritableSchema<"DeviceLoginApproval">, env: SignedInEnv): Promise<void> {
  const { database, session, now } = env;
  const { projectID, access, expiresAfterDays: keyDays = DEFAULT_KEY_DAYS } = given;
  const approval = { personID: session.person.id, projectID, access, keyDays };
  const login = requireOpen(await reading(database, (db) => store.findDeviceLogin(db, store.byID(id))), id, now);
  // A dry run tells the person now whether they may create the key.
  await writing(database, (db) => createDeviceKey(db, login, approval, session, env), { dryRun: true });
  await writing(database, async (db) => {
    const current = requireOpen(await store.findDeviceLogin(db, store.byID(id), { lock: true }), id, now);
    if (isApprovedAs(current, approval)) return;
    requirePending(current);
    await store.approve(db, id, approval);
    const reason = `Approved a login of the command line ${placeOf(current)} to the project ${projectID}.`;
    await noteSession(db, session, reason, { ...env, operationID: "approveDeviceLogin" });
  });
}

/** @throws AppError not_found, conflict, unavailable */
export async function rejectLogin(id: string, env: SignedInEnv): Promise<void> {
  await writing(env.database, async (db) => {
    const login = requireOpen(await store.findDeviceLogin(db, store.byID(id), { lock: true }), id, env.now);
    if (login.state === "denied") return;
    requirePending(login);
    await store.end(db, id, "denied");
    await noteSession(db, env.session, `Denied a login of the command line ${placeOf(login)}.`, {
      ...env,
      operationID: "rejectDeviceLogin",
    });
  });
}

function placeOf({ host, address }: DeviceLogin): string {
  return `on ${host}${address === null ? "" : ` (${address})`}`;
}

/** The login, unless it has ended. @throws AppError not_found */
function requireOpen(login: DeviceLogin | undefined, id: string, now: number): DeviceLogin {
  if (!login || login.endsTime <= now) throw notFound("Device login", id);
  return login;
}

/** @throws AppError conflict */
function requirePending({ id, state }: DeviceLogin): void {
  if (state === "pending") return;
  throw conflict(`Device login ${id} was already ${state === "denied" ? "denied" : "approved"}. Start another login.`);
}
