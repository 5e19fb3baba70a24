import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createLog } from "../../src/common/log.ts";
import { deleteEndedAccess } from "../../src/jobs/delete-ended-access.ts";
import { createAuthenticator } from "../support/authenticator.ts";
import { makePerson, readCookie, readSecret } from "../support/people.ts";
import { challenge, entriesBy, makeMember, ORIGIN, setUpPasskey, setUpTotp, signInWithPasskey } from "../support/second-factors.ts";
import { conflicting, invalid, startServer, type TestServer } from "../support/server.ts";
import { asPerson } from "../support/sessions.ts";
import { totpCode } from "../support/totp-code.ts";

const MINUTE_MS = 60_000;
const USER_PRESENT = 0x01;
const REFUSED = {
  status: 401,
  code: "unauthorized",
  message: "This passkey does not work here. Sign in another way, or try again.",
};
const NOT_CREATED = "was not created for this server with user verification, or its challenge was used or has expired";

let server: TestServer;
let replica: TestServer;
beforeAll(async () => {
  server = await startServer({ publicUrl: ORIGIN });
  replica = await server.replica();
});
afterAll(async () => {
  await replica.close();
  await server.close();
});

describe("a new passkey", () => {
  test("requires user verification and a discoverable credential, and is listed without its key", async () => {
    const { person, headers, own } = await makeMember(server);
    const first = await setUpPasskey(server, headers);
    const { data } = (await own("POST", "passkeys/challenge")).body;
    expect(data).toEqual({
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      timeout: 5 * MINUTE_MS,
      rp: { id: "localhost", name: "Gatehouse" },
      user: { id: Buffer.from(person.id).toString("base64url"), name: person.email, displayName: `Person ${person.lastName}` },
      pubKeyCredParams: expect.arrayContaining([{ type: "public-key", alg: -7 }]),
      excludeCredentials: [{ id: first.id, type: "public-key", transports: ["internal"] }],
      authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
      attestation: "none",
    });
    const passkey = { id: first.id, name: "Laptop", createdTime: server.clock.now, lastUsedTime: null, isSynced: false };
    expect((await own("GET", "second_factors")).body.data.passkeys).toEqual([passkey]);
  });

  test("is refused from another origin, without user verification, with another session's challenge, a second time and after 5 minutes", async () => {
    const [one, other] = [await makeMember(server), await makeMember(server)];
    const authenticator = createAuthenticator(ORIGIN);
    const begin = async () => (await one.own("POST", "passkeys/challenge")).body.data;
    const create = (passkey: object, { own } = one) => own("POST", "passkeys", { name: "Phone", passkey });
    const refused = [
      await create(authenticator.create(await begin(), { origin: "https://evil.example" })),
      await create(authenticator.create(await begin(), { flags: USER_PRESENT })),
      await create(authenticator.create(await begin()), other),
      await create(authenticator.create(await challenge(server))),
      await create(authenticator.create({ ...(await begin()), rp: { id: "evil.example" } })),
      await create({ ...authenticator.create(await begin()), response: { clientDataJSON: "bm8", attestationObject: "bm8" } }),
    ];
    const late = await begin();
    server.clock.now += 5 * MINUTE_MS;
    refused.push(await create(authenticator.create(late)));
    for (const { body } of refused) expect(body).toEqual(invalid(["passkey", NOT_CREATED]));
    const passkey = authenticator.create(await begin());
    const answers = await Promise.all([create(passkey), create(passkey)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    const again = authenticator.create((await other.own("POST", "passkeys/challenge")).body.data);
    expect((await create(again, other)).body).toEqual(conflicting("This passkey already exists."));
  });

  test("is refused if the person has 20", async () => {
    const { person, headers, own } = await makeMember(server);
    await server.database.prisma.$executeRaw`
      insert into passkey (id, "personID", name, "publicKey", counter, transports, "isSynced", "createdTime")
      select 'full' || number, ${person.id}, 'Full', '', 0, '{}', false, 0 from generate_series(1, 19) as number`;
    await setUpPasskey(server, headers);
    const { data } = (await own("POST", "passkeys/challenge")).body;
    const { body } = await own("POST", "passkeys", { name: "More", passkey: createAuthenticator(ORIGIN).create(data) });
    expect(body).toEqual(conflicting("You have 20 passkeys. Remove one first."));
  });
});

describe("signing in with a passkey", () => {
  test("works across replicas without a password, and only for the first of several requests", async () => {
    const { person, headers, own } = await makeMember(server);
    const authenticator = await setUpPasskey(server, headers);
    const options = await challenge(server);
    expect(options).toEqual({
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      timeout: 5 * MINUTE_MS,
      rpId: "localhost",
      userVerification: "required",
    });
    const passkey = authenticator.get(options);
    const answers = await Promise.all([replica, server, replica].map((at) => signInWithPasskey(at, passkey)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401]);
    const won = answers.find(({ status }) => status === 200);
    expect(won?.body.data).toMatchObject({ person: { id: person.id }, mustSetUpSecondFactor: false });
    expect(readCookie(won?.headers ?? new Headers())).toMatch(/^gatehouse_session=[\w-]{43}; Max-Age=1209600; /);
    expect((await own("GET", "second_factors")).body.data.passkeys[0].lastUsedTime).toBe(server.clock.now);
    expect((await entriesBy(server, person.id)).at(-1)).toEqual(["finishPasskeySignIn", "Signed in."]);
  });

  test("has the same message for every error", async () => {
    const { person, headers, own, signIn } = await makeMember(server);
    const authenticator = await setUpPasskey(server, headers);
    const stranger = createAuthenticator(ORIGIN);
    const finish = async (make: (options: Awaited<ReturnType<typeof challenge>>) => object) =>
      signInWithPasskey(server, make(await challenge(server)));
    const refused = [
      await finish((options) => stranger.get(options)),
      await finish((options) => authenticator.get(options, { origin: "https://evil.example" })),
      await finish((options) => authenticator.get(options, { flags: USER_PRESENT })),
      await finish((options) => authenticator.get({ ...options, rpId: "evil.example" })),
      await finish((options) => authenticator.get(options, { userHandle: Buffer.from("another").toString("base64url") })),
      await finish((options) => ({ ...stranger.get(options), id: authenticator.id, rawId: authenticator.id })),
      await finish(() => authenticator.get({ challenge: "made up", rpId: "localhost" })),
    ];
    const { data } = (await own("POST", "confirmation/challenge")).body;
    refused.push(await signInWithPasskey(server, authenticator.get(data)));
    const late = authenticator.get(await challenge(server));
    server.clock.now += 5 * MINUTE_MS;
    refused.push(await signInWithPasskey(server, late));
    // Ten failures of an account are the limit.
    expect((await signIn({ passkey: authenticator.get(await challenge(server)) })).status).toBe(200);
    await server.send("PATCH", `/console/v1/people/${person.id}`, { body: { isActive: false } });
    refused.push(await finish((options) => authenticator.get(options)));
    for (const { body, headers: answered } of refused) expect([body, readCookie(answered)]).toEqual([REFUSED, ""]);
  });

  test("refuses a signature counter that does not go up, and writes this to the audit log", async () => {
    const { person, headers } = await makeMember(server);
    const authenticator = await setUpPasskey(server, headers);
    const finish = async (counter: number) => signInWithPasskey(server, authenticator.get(await challenge(server), { counter }));
    expect([(await finish(0)).status, (await finish(0)).status, (await finish(7)).status]).toEqual([200, 200, 200]);
    for (const counter of [7, 6, 0]) expect((await finish(counter)).body).toEqual(REFUSED);
    expect((await finish(8)).status).toBe(200);
    const refused = (await entriesBy(server, person.id)).filter(([, reason]) => reason?.startsWith("Refused"));
    const note = (counter: number) =>
      `Refused the passkey Laptop, since its signature counter went from 7 to ${counter}. Someone may have a copy of it.`;
    expect(refused).toEqual([7, 6, 0].map((counter) => ["finishPasskeySignIn", note(counter)]));
  });

  test("counts failures like wrong passwords of the account, and limits unused challenges of an address", async () => {
    const proxied = await server.replica(undefined, { trustedProxies: ["loopback"] });
    const { headers } = await makeMember(server);
    const authenticator = await setUpPasskey(server, headers);
    const from = { "X-Forwarded-For": "192.0.2.78" };
    const fail = () =>
      proxied.send("POST", "/console/v1/session/passkey", {
        body: { passkey: authenticator.get({ challenge: "none", rpId: "localhost" }) },
        headers: from,
      });
    for (let count = 0; count < 10; count++) expect([count, (await fail()).status]).toEqual([count, 401]);
    expect((await fail()).status).toBe(429);
    const begin = () => proxied.send("POST", "/console/v1/session/passkey/challenge", { headers: { "X-Forwarded-For": "192.0.2.79" } });
    const statuses = await Promise.all(Array.from({ length: 101 }, async () => (await begin()).status));
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
    await proxied.close();
  });

  test("is off without a public URL that supports passkeys, and if people only sign in with the provider", async () => {
    const made = await makeMember(server);
    const authenticator = await setUpPasskey(server, made.headers);
    const passkey = authenticator.get(await challenge(server));
    // For https, the cookie has a prefix.
    const headers = { ...made.headers, Cookie: `${made.headers.Cookie}; __Host-${made.headers.Cookie}` };
    const message = "Passkeys are not set up. The operator does that with GATEHOUSE_PUBLIC_URL.";
    const noPasskeys = { status: 404, code: "not_found", message };
    for (const publicUrl of [undefined, "https://192.0.2.1", "https://[2001:db8::1]", "http://flags.example.com"]) {
      const without = await server.replica(undefined, { publicUrl });
      const send = (method: string, path: string, body?: object) =>
        without.send(method, `/console/v1/session/${path}`, { key: null, headers, ...(body && { body }) });
      const answers = [
        await send("POST", "passkey/challenge"),
        await send("POST", "passkey", { passkey }),
        await send("POST", "passkeys/challenge"),
        await send("POST", "passkeys", { name: "Phone", passkey: authenticator.create({ challenge: "none" }) }),
        await send("POST", "confirmation/challenge"),
      ];
      for (const { body } of answers) expect(body).toEqual(noPasskeys);
      const { data } = (await without.send("GET", "/console/v1/session/methods")).body;
      expect(data).toEqual({ password: true, passkey: false, singleSignOn: false, passwordReset: false });
      await without.close();
    }
    const alone = await server.replica(undefined, { passwordSignIn: false });
    const methods = (await alone.send("GET", "/console/v1/session/methods")).body.data;
    expect([methods.passkey, (await signInWithPasskey(alone, passkey)).status]).toEqual([false, 403]);
    await alone.close();
  });
});

describe("a passkey as the second factor", () => {
  test("is accepted only with the password of the same person", async () => {
    const [one, other] = [await makeMember(server), await makeMember(server)];
    const [own, others] = [await setUpPasskey(server, one.headers), await setUpPasskey(server, other.headers)];
    expect((await one.signIn()).body).toMatchObject({ code: "second_factor_required", factors: ["passkey"] });
    expect((await one.signIn({ passkey: others.get(await challenge(server)) })).body.code).toBe("second_factor_required");
    const passkey = own.get(await challenge(replica));
    expect([(await one.signIn({ passkey })).status, (await one.signIn({ passkey })).status]).toEqual([200, 401]);
  });

  test("and an authenticator app are each enough", async () => {
    const { headers, signIn } = await makeMember(server);
    const authenticator = await setUpPasskey(server, headers);
    const secret = await setUpTotp(server, headers);
    expect((await signIn()).body.factors).toEqual(["totp", "passkey"]);
    server.clock.now += 30_000;
    expect((await signIn({ code: totpCode(secret, server.clock.now) })).status).toBe(200);
    expect((await signIn({ passkey: authenticator.get(await challenge(server)) })).status).toBe(200);
  });
});

describe("confirming a session with a passkey", () => {
  test("needs a passkey of the person, and a challenge of the session", async () => {
    const [one, other] = [await makeMember(server), await makeMember(server)];
    const [own, others] = [await setUpPasskey(server, one.headers), await setUpPasskey(server, other.headers)];
    server.clock.now += 10 * MINUTE_MS;
    const begin = async ({ own: send } = one) => (await send("POST", "confirmation/challenge")).body.data;
    expect((await begin()).allowCredentials).toEqual([{ id: own.id, type: "public-key", transports: ["internal"] }]);
    const confirm = (passkey: object) => one.own("POST", "confirmation", { passkey });
    const refused = invalid(["passkey", "is not one of yours, or its challenge was used or has expired"]);
    expect((await confirm(others.get(await begin()))).body).toEqual(refused);
    expect((await confirm(own.get(await begin(other)))).body).toEqual(refused);
    expect((await confirm(own.get(await challenge(server)))).body).toEqual(refused);
    expect((await one.own("POST", "recovery_codes")).status).toBe(403);
    expect((await confirm(own.get(await begin()))).status).toBe(200);
    expect((await one.own("POST", "recovery_codes")).status).toBe(200);
  });

  test("is part of a sign-in with a passkey and not part of single sign-on", async () => {
    const { headers } = await makeMember(server);
    const authenticator = await setUpPasskey(server, headers);
    const answer = await signInWithPasskey(server, authenticator.get(await challenge(server)));
    const begun = { key: null, headers: asPerson(readSecret(answer.headers)) };
    expect((await server.send("POST", "/console/v1/session/recovery_codes", begun)).status).toBe(200);
    const other = await makePerson(server);
    await server.database.prisma.session.updateMany({
      where: { personID: other.person.id },
      data: { isSingleSignOn: true, passwordTime: null },
    });
    expect((await server.send("POST", "/console/v1/session/totp", { key: null, headers: other.headers })).status).toBe(403);
  });
});

test("challenges and secrets are deleted if they are not used in time", async () => {
  const { own } = await makeMember(server);
  await own("POST", "totp");
  await challenge(server);
  const { prisma } = server.database;
  const run = (now: number) =>
    deleteEndedAccess({ idleMs: Number.MAX_SAFE_INTEGER, longestMs: 1 }).run({
      database: server.database,
      log: createLog("silent", { write() {} }),
      now: () => now,
    });
  const count = async () => [
    await prisma.passkeyChallenge.count({ where: { endsTime: server.clock.now + 5 * MINUTE_MS } }),
    await prisma.totp.count({ where: { createdTime: server.clock.now, confirmedTime: null } }),
  ];
  const before = await count();
  await run(server.clock.now + 5 * MINUTE_MS - 1);
  expect(await count()).toEqual(before);
  await run(server.clock.now + 60 * MINUTE_MS);
  expect([before, await count()]).toEqual([
    [expect.any(Number), 1],
    [0, 0],
  ]);
});
