import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import type { AccountEnv, SignedInEnv } from "../account-env.ts";
import { approveLogin, findLogin, redeemLogin, rejectLogin, startLogin } from "./device-logins.ts";

/** The operations of a device, which has no credentials yet. */
export const deviceHandlers = {
  async startDeviceLogin({ body, ...env }) {
    return { status: 200, body: { message: "Device login started successfully.", data: await startLogin(body.host, env) } };
  },

  async redeemDeviceLogin({ body, ...env }) {
    const data = await redeemLogin(body.deviceCode, env);
    const did = data.key === null ? "read" : "redeemed";
    return { status: 200, body: { message: `Device login ${did} successfully.`, data } };
  },
} satisfies Partial<Handlers<operations, AccountEnv>>;

/** The operations of the person who decides about a device. */
export const deviceLoginHandlers = {
  async findDeviceLogin({ body, ...env }) {
    return { status: 200, body: { message: "Device login found successfully.", data: await findLogin(body.userCode, env) } };
  },

  async approveDeviceLogin({ path: { id }, body, ...env }) {
    await approveLogin(id, body, env);
    return { status: 200, body: { message: "Device login approved successfully." } };
  },

  async rejectDeviceLogin({ path: { id }, ...env }) {
    await rejectLogin(id, env);
    return { status: 200, body: { message: "Device login denied successfully." } };
  },
} satisfies Partial<Handlers<operations, SignedInEnv>>;
