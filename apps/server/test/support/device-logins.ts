import type { Schema } from "@gatehouse/contract/console";
import { makePerson } from "./people.ts";
import type { TestServer } from "./server.ts";

type Codes = Schema<"DeviceLoginCodes">;

/** Starts a login of a device. @returns its codes */
export async function startLogin({ send }: Pick<TestServer, "send">, host = "adas-laptop", address = "192.0.2.1"): Promise<Codes> {
  const headers = { "X-Forwarded-For": address };
  const { status, body } = await send("POST", "/console/v1/device_logins", { body: { host }, headers });
  if (status !== 200) throw new Error(`startDeviceLogin was answered ${status}: ${JSON.stringify(body)}`);
  return body.data;
}

/** The requests of a device, and those of a person with a session's headers. */
export function deviceLogins({ send }: Pick<TestServer, "send">) {
  const post = (path: string, body?: object, headers: Record<string, string> = {}) =>
    send("POST", `/console/v1/device_logins${path}`, { body, headers });
  return {
    redeem: (deviceCode: string, headers?: Record<string, string>) => post("/redeem", { deviceCode }, headers),
    find: (userCode: string, headers: Record<string, string>) => post("/find", { userCode }, headers),
    approve: (id: string, headers: Record<string, string>, given: object = {}) =>
      post(`/${id}/approve`, { projectID: "default", access: "read_write", ...given }, headers),
    reject: (id: string, headers: Record<string, string>) => post(`/${id}/reject`, undefined, headers),
  };
}

/** Makes a person with a role in the default project. */
export async function makeMemberAs(server: TestServer, role: string) {
  const made = await makePerson(server);
  await server.client.inviteUsers({ body: { emails: [made.person.email], role } });
  return made;
}

/** Starts a login that a person has found. */
export async function findStarted(server: TestServer, headers: Record<string, string>, host?: string): Promise<Codes & { id: string }> {
  const codes = await startLogin(server, host);
  const { body } = await deviceLogins(server).find(codes.userCode, headers);
  return { ...codes, id: body.data.id };
}
