import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import type { Violation } from "../../common/errors.ts";
import { isSecret } from "../../tokens/secret.ts";
import { paginate, toWindow } from "../common/page.ts";
import type { Env, Stores } from "../stores.ts";
import {
  changeKey,
  checkExpiry,
  checkLockout,
  checkRole,
  deactivateKey,
  type Key,
  newKey,
  readAllowedAddresses,
  readScopes,
  rotateKey,
  type ShownKey,
} from "./key.ts";
import { resolveLimits } from "./limits.ts";

export const keyHandlers = {
  async listKeys({ query, stores }) {
    const { environment, status, primaryTargetApp: idOrName } = query;
    const app = idOrName === undefined ? undefined : await stores.targetApps.find(idOrName);
    const primaryTargetApp = app?.name ?? idOrName;
    const named = {
      ...(environment !== undefined && { environment }),
      ...(status !== undefined && { status }),
      ...(primaryTargetApp !== undefined && { primaryTargetApp }),
    };
    const { data: keys, total } = await stores.keys.list(toWindow(query), named);
    const data = await shownEach(keys, stores);
    const pagination = paginate("/console/v1/keys", query, total);
    return { status: 200, body: { message: "Keys listed successfully.", data, pagination } };
  },

  async createKey({ body, context, stores }) {
    const { type, description, role, expiresTime } = body;
    const violations: Violation[] = [];
    const scopes = readScopes(type, body.scopes, violations);
    checkRole(type, role, violations);
    checkExpiry(expiresTime, null, context.now, violations);
    const addresses = readAllowedAddresses(body.allowedAddresses, violations);
    const limits = await resolveLimits(body, stores, violations);
    const { key, secret } = newKey({ type, description, role, expiresTime, ...scopes, ...addresses, ...limits }, context);
    const data = await shown(await stores.keys.create(key, secret), stores, secret);
    return { status: 200, body: { message: "Key created successfully.", data } };
  },

  async getKey({ path, stores }) {
    const data = await shown(await stores.keys.get(path.id), stores, secretIn(path));
    return { status: 200, body: { message: "Key read successfully.", data } };
  },

  async patchKey({ path, body, context, stores }) {
    const { targetAppID, secondaryTargetAppIDs, environments, scopes: given, ...fields } = body;
    const key = await stores.keys.get(path.id);
    const violations: Violation[] = [];
    const scopes = readScopes(key.type, given, violations);
    checkRole(key.type, body.role, violations);
    checkExpiry(body.expiresTime, key.expiresTime, context.now, violations);
    const addresses = readAllowedAddresses(body.allowedAddresses, violations);
    checkLockout(key, addresses.allowedAddresses, context, violations);
    const limits = await resolveLimits(body, stores, violations);
    const changed = changeKey(key, { ...fields, ...scopes, ...addresses, ...limits }, context);
    const data = await shown(await stores.keys.replace(key, changed), stores, secretIn(path));
    return { status: 200, body: { message: "Key updated successfully.", data } };
  },

  async deleteKey({ path, stores }) {
    await stores.keys.delete(await stores.keys.get(path.id));
    return { status: 200, body: { message: "Key deleted successfully." } };
  },

  async deactivateKey({ path, context, stores }) {
    const key = await stores.keys.get(path.id);
    const data = await shown(await stores.keys.replace(key, deactivateKey(key, context)), stores, secretIn(path));
    return { status: 200, body: { message: "Key deactivated successfully.", data } };
  },

  async rotateKey({ path, context, stores }) {
    const before = await stores.keys.get(path.id);
    const { key, secret } = rotateKey(before, context);
    const data = await shown(await stores.keys.replace(before, key, secret), stores, secret);
    return { status: 200, body: { message: "Key rotated successfully.", data } };
  },
} satisfies Partial<Handlers<operations, Env>>;

/** Keys as responses show them, without their secrets. */
async function shownEach(keys: Key[], stores: Stores): Promise<ShownKey[]> {
  const [lastUsed, orphaned] = await Promise.all([stores.keys.lastUsed(keys), stores.keys.orphaned(keys)]);
  return keys.map((key) => ({ ...key, key: null, lastUsed: lastUsed.get(key.id) ?? null, isOrphaned: orphaned.has(key) }));
}

/** The secret that the caller addressed the key by. Clients that keep a response as the state of the key need it there. */
function secretIn({ id }: { id: string }): string | null {
  return isSecret(id) ? id : null;
}

/** A key as a response shows it. `key` is a secret that was just created, or that the caller sent. */
async function shown(key: Key, stores: Stores, secret: string | null = null): Promise<ShownKey> {
  const [one] = await shownEach([key], stores);
  return { ...(one as ShownKey), key: secret };
}
