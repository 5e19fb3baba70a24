import { expect } from "vitest";
import { conflicting, type TestServer } from "./server.ts";

export const PATH = "/console/v1/dynamic_configs";

type Given = Omit<Parameters<TestServer["client"]["createDynamicConfig"]>[0]["body"], "name">;

export const rule = (name: string, more: object = {}) => ({ name, passPercentage: 100, conditions: [], ...more });

/** A JSON schema with a numeric `timeout`. */
export const timeoutSchema = '{"type":"object","properties":{"timeout":{"type":"number"}}}';

export async function make({ client }: TestServer, name: string, more: Given = {}) {
  return (await client.createDynamicConfig({ body: { name, ...more } })).data;
}

export async function makeArchived(server: TestServer, name: string, more: Given = {}) {
  const { id } = await make(server, name, more);
  return (await server.client.archiveDynamicConfig({ path: { id } })).data;
}

export const missing = { status: 404, code: "not_found", message: "Dynamic config nope does not exist.", errors: [] };

export const archived = (id: string) => conflicting(`Dynamic config ${id} is archived. Unarchive it first.`, "status");

/** Expects that a write with an outdated If-Match is rejected and not stored. */
export async function expectStaleRefused(server: TestServer, method: string, id: string, action = "", body?: object) {
  const answer = await server.send(method, `${PATH}/${id}${action}`, { body, headers: { "If-Match": '"9-zzz"' } });
  expect(answer.body).toEqual({
    status: 412,
    code: "precondition_failed",
    message: `The dynamic config ${id} is at version 1, which does not match If-Match. Read it again.`,
  });
  expect((await server.client.getDynamicConfig({ path: { id } })).data.version).toBe(1);
}
