import { createAuthenticator } from "./authenticator.ts";
import { startLogin } from "./device-logins.ts";
import { makeFixture } from "./fixtures.ts";
import { fill, neededQuery, type SweptOperation } from "./operations.ts";
import { makePerson, makeToken, startSessionAs } from "./people.ts";
import { challenge, ORIGIN, own, setUpPasskey, setUpTotp } from "./second-factors.ts";
import type { TestServer } from "./server.ts";
import { totpCode } from "./totp-code.ts";

let count = 0;

/** Data that an operation needs beside the contract's example, which a request uses up or an earlier test may have taken. */
const besides: Record<string, (server: TestServer, id: string) => Promise<{ headers?: Record<string, string>; given?: object }>> = {
  deleteSession: async (server) => ({ headers: (await makePerson(server)).headers }),
  changePassword: async (server) => ({ headers: (await makePerson(server, { password: "correct horse battery staple" })).headers }),
  confirmSession: async (server) => ({ headers: (await makePerson(server, { password: "correct horse battery staple" })).headers }),
  startTotpSetup: async (server) => ({ headers: (await makePerson(server)).headers }),
  async confirmTotp(server) {
    const { headers } = await makePerson(server);
    const { secret } = (await own(server, headers, "POST", "totp")).body.data;
    return { headers, given: { code: totpCode(secret, server.clock.now) } };
  },
  deleteTotp: async (server) => ({ headers: (await withTotp(server)).headers }),
  createRecoveryCodes: async (server) => ({ headers: (await withTotp(server)).headers }),
  startConfirmation: async (server) => ({ headers: (await makePerson(server)).headers }),
  startPasskeyCreation: async (server) => ({ headers: (await makePerson(server)).headers }),
  async createPasskey(server) {
    const { headers } = await makePerson(server);
    const { data } = (await own(server, headers, "POST", "passkeys/challenge")).body;
    return { headers, given: data && { passkey: createAuthenticator(ORIGIN).create(data) } };
  },
  async finishPasskeySignIn(server) {
    const { headers } = await makePerson(server);
    const options = await challenge(server);
    return options && { given: { passkey: (await setUpPasskey(server, headers)).get(options) } };
  },
  findDeviceLogin: async (server) => ({ given: { userCode: (await startLogin(server)).userCode } }),
  redeemDeviceLogin: async (server) => ({ given: { deviceCode: (await startLogin(server)).deviceCode } }),
  patchPasskey: asOwner,
  deletePasskey: asOwner,
  createIngestionSource: async () => ({ given: { source_name: `sent ${count}` } }),
  // People who have been invited already get a new token in place of the earlier one.
  validateChange: async (server) => ({ given: { reviewID: await makeValidating(server) } }),
  updateChangeValidationMessage: async (server) => ({ given: { reviewID: await makeValidating(server) } }),
  inviteUsers: async () => ({ given: { emails: [`invited${count}@example.com`, `invited_too${count}@example.com`] } }),
  checkToken: async (server) => ({ given: { token: await makeToken(server, "administrator") } }),
  redeemToken: async (server) => ({ given: { token: await makeToken(server, "administrator"), email: `grace${count}@example.com` } }),
};

async function withTotp(server: TestServer) {
  const made = await makePerson(server);
  await setUpTotp(server, made.headers);
  return made;
}

async function asOwner(server: TestServer, id: string) {
  const { personID } = await server.database.prisma.passkey.findFirstOrThrow({ where: { id } });
  return { headers: await startSessionAs(server, personID) };
}

/** A review of somebody else that was sent to a webhook. */
async function makeValidating(server: TestServer): Promise<string> {
  const review = await makeFixture(server, "/console/v1/reviews/{id}");
  const id = review?.parameters.id as string;
  const author = { id: "key_of_another", name: "Another", email: null };
  const validation = { status: "PENDING", message: null, debugLinks: [], deadline: server.clock.now + 60_000 };
  await server.database.prisma.$executeRaw`
    update review set entity = (entity::jsonb || ${JSON.stringify({ author, validation })}::jsonb)::text where id = ${id}`;
  return id;
}

/** Creates the entity that an operation addresses. @returns it, and a function that sends the contract's example */
export async function prepare(server: TestServer, operation: SweptOperation, name?: string) {
  const { operationId, method, path, example, statuses } = operation;
  const fixture = await makeFixture(server, path, name, method);
  count += 1;
  const { headers: own, given } = (await besides[operationId]?.(server, fixture?.parameters.id ?? "")) ?? {};
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
    /** The headers of a person if the operation uses up a session. */
    headers: own ?? {},
    send: (headers: Record<string, string> = {}, query = "") =>
      server.send(method, `${url}${needed ? query.replace("?", "&") : query}`, { body: sent, headers: { ...own, ...headers } }),
  };
}
