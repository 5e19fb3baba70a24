import { expect } from "vitest";
import type { TestServer } from "./server.ts";

export const SCIM_TOKEN = "scim-token-of-the-tests-0123456789abcdef";
/** The settings of a server whose groups decide roles. */
export const SCIM = {
  tokens: [SCIM_TOKEN],
  roles: [
    ["Flag administrators", "administrator"],
    ["Flag leads", "Admin"],
    ["Flag developers", "Member"],
  ] as [string, string][],
};

const USER = "urn:ietf:params:scim:schemas:core:2.0:User";
const GROUP = "urn:ietf:params:scim:schemas:core:2.0:Group";
const PATCH = "urn:ietf:params:scim:api:messages:2.0:PatchOp";

type ScimAnswer = { status: number; headers: Headers; body: any };

/** Sends a request as an identity provider does. */
export async function sendScim(
  { url }: Pick<TestServer, "url">,
  method: string,
  path: string,
  body?: unknown,
  headers: object = {},
): Promise<ScimAnswer> {
  const response = await fetch(`${url}/scim/v2${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${SCIM_TOKEN}`,
      ...(body !== undefined && { "Content-Type": "application/scim+json" }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  if (text !== "") expect(response.headers.get("Content-Type")).toBe("application/scim+json; charset=utf-8");
  return { status: response.status, headers: response.headers, body: text === "" ? undefined : JSON.parse(text) };
}

/** An identity provider of a server. */
export function scimClient(server: Pick<TestServer, "url">) {
  const send = (method: string, path: string, body?: unknown, headers?: object) => sendScim(server, method, path, body, headers);
  return {
    send,
    patch: (path: string, ...operations: object[]) => send("PATCH", path, { schemas: [PATCH], Operations: operations }),
    createUser: (userName: string, more: object = {}) => send("POST", "/Users", { schemas: [USER], userName, ...more }),
    createGroup: (displayName: string, memberIDs: string[] = [], more: object = {}) =>
      send("POST", "/Groups", { schemas: [GROUP], displayName, members: memberIDs.map((value) => ({ value })), ...more }),
    list: (path: string, filter: string) => send("GET", `${path}?filter=${encodeURIComponent(filter)}`),
  };
}

/** The error of a response: `expect(answer).toMatchObject(scimError(404, undefined, "…"))` */
export function scimError(status: number, scimType: string | undefined, detail: unknown) {
  return {
    status,
    body: {
      schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"],
      status: String(status),
      ...(scimType !== undefined && { scimType }),
      detail,
    },
  };
}
