import { makeFixture } from "./fixtures.ts";
import { fill, neededQuery, type SweptOperation } from "./operations.ts";
import { makePerson, makeToken } from "./people.ts";
import type { TestServer } from "./server.ts";

let count = 0;

/** What an operation needs beside the contract's example, which a request uses up or an earlier test may have taken. */
const besides: Record<string, (server: TestServer) => Promise<{ headers?: Record<string, string>; given?: object }>> = {
  deleteSession: async (server) => ({ headers: (await makePerson(server)).headers }),
  changePassword: async (server) => ({ headers: (await makePerson(server, { password: "correct horse battery staple" })).headers }),
  createIngestionSource: async () => ({ given: { source_name: `sent ${count}` } }),
  // Whoever has been invited already gets a token in place of the one before.
  inviteUsers: async () => ({ given: { emails: [`invited${count}@example.com`, `invited_too${count}@example.com`] } }),
  redeemToken: async (server) => ({ given: { token: await makeToken(server, "administrator"), email: `grace${count}@example.com` } }),
};

/** Creates the entity that an operation addresses. @returns it, and a function that sends the contract's example */
export async function prepare(server: TestServer, operation: SweptOperation, name?: string) {
  const { operationId, method, path, example, statuses } = operation;
  const fixture = await makeFixture(server, path, name, method);
  count += 1;
  const { headers: own, given } = (await besides[operationId]?.(server)) ?? {};
  // A new name, since an earlier test may have taken the example's.
  const isChanged = Object.keys(fixture?.parameters ?? {}).length > 0 && statuses.includes("412");
  const body = example && "name" in example && !isChanged ? { ...example, name: `sent ${count}` } : example;
  const sent = given ? { ...body, ...given } : body;
  const needed = neededQuery(operation);
  const url = `${fill(path, fixture?.parameters ?? {})}${needed && `?${needed}`}`;
  return {
    fixture,
    url,
    body: sent,
    /** Those of a person, where the operation uses up a session. */
    headers: own ?? {},
    send: (headers: Record<string, string> = {}, query = "") =>
      server.send(method, `${url}${needed ? query.replace("?", "&") : query}`, { body: sent, headers: { ...own, ...headers } }),
  };
}
