import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createLog } from "../../src/common/log.ts";
import { renewSecrets } from "../../src/jobs/renew-secrets.ts";
import { makeToken, readCookie, readSecret } from "../support/people.ts";
import { createCodes, entriesBy, makeMember, ORIGIN, PASSWORD, setUpPasskey, setUpTotp } from "../support/second-factors.ts";
import { conflicting, invalid, startServer, type TestServer } from "../support/server.ts";
import { asPerson } from "../support/sessions.ts";
import { totpCode } from "../support/totp-code.ts";

const MINUTE_MS = 60_000;
const STEP_MS = 30_000;
const CONFIRM = "Insufficient permissions. This requires your password or a passkey: POST /console/v1/session/confirmation.";
const WRONG = "The second factor is wrong or was used before. Repeat the request with another code or a passkey.";

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ publicUrl: ORIGIN });
});
afterAll(() => server.close());

const required = (message: string, ...factors: string[]) => ({ status: 401, code: "second_factor_required", message, factors });
const missing = (...factors: string[]) => required("A second factor is required. Repeat the request with a code or a passkey.", ...factors);

describe("an authenticator app", () => {
  test("is set up with a code of its secret, which no response shows again", async () => {
    const { own } = await makeMember(server);
    const { data } = (await own("POST", "totp")).body;
    expect(data.uri).toMatch(/^otpauth:\/\/totp\/Gatehouse:person\d+%40example.com\?issuer=Gatehouse&secret=[A-Z2-7]{32}&/);
    const wrong = totpCode(data.secret, server.clock.now + 2 * STEP_MS);
    expect((await own("PUT", "totp", { code: wrong })).body).toEqual(
      invalid(["code", "is wrong, or the clock of your device is not set correctly"]),
    );
    expect((await own("PUT", "totp", { code: totpCode(data.secret, server.clock.now) })).status).toBe(200);
    const shown = await own("GET", "second_factors");
    expect(shown.body.data).toEqual({
      totp: { createdTime: server.clock.now },
      passkeys: [],
      recoveryCodes: 0,
      isRequired: false,
      canUseTotp: true,
      canUsePasskeys: true,
      confirmedUntil: server.clock.now + 10 * MINUTE_MS,
    });
    const conflict = "You already have an authenticator app. Remove it first.";
    expect((await own("POST", "totp")).body).toEqual(conflicting(conflict));
    expect((await own("PUT", "totp", { code: wrong })).body).toEqual(conflicting(conflict));
  });

  test("is required in addition to the right password, and its code works once across all replicas", async () => {
    const replica = await server.replica();
    const { headers, signIn } = await makeMember(server);
    const secret = await setUpTotp(server, headers);
    expect((await signIn()).body).toEqual(missing("totp"));
    expect((await signIn({ code: totpCode(secret, server.clock.now) })).body).toEqual(required(WRONG, "totp"));
    server.clock.now += STEP_MS;
    const code = totpCode(secret, server.clock.now);
    const answers = await Promise.all([server, replica, server, replica].map((at) => signIn({ code }, at)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401]);
    for (const { status, body } of answers) if (status === 401) expect(body).toEqual(required(WRONG, "totp"));
    await replica.close();
  });

  test("accepts the codes of the steps before and after, and codes with spaces", async () => {
    const { headers, signIn } = await makeMember(server);
    const secret = await setUpTotp(server, headers);
    const at = async (steps: number) => {
      const code = totpCode(secret, server.clock.now + steps * STEP_MS);
      return (await signIn({ code: `${code.slice(0, 3)} ${code.slice(3)}` })).status;
    };
    server.clock.now += 10 * STEP_MS;
    expect([await at(-2), await at(-1), await at(1), await at(0), await at(2)]).toEqual([401, 200, 200, 401, 401]);
  });

  test("has to be confirmed within an hour, and a new secret replaces an unconfirmed one", async () => {
    const { own } = await makeMember(server);
    const first = (await own("POST", "totp")).body.data.secret;
    const second = (await own("POST", "totp")).body.data.secret;
    expect((await own("PUT", "totp", { code: totpCode(first, server.clock.now) })).status).toBe(400);
    server.clock.now += 60 * MINUTE_MS;
    await own("POST", "confirmation", { password: PASSWORD });
    const { status, body } = await own("PUT", "totp", { code: totpCode(second, server.clock.now) });
    expect([status, body.message]).toEqual([404, "No set-up of an authenticator app was started within the last hour. Start it again."]);
    const missing = await own("DELETE", "totp");
    expect([missing.status, missing.body.message]).toEqual([404, "You have no authenticator app."]);
  });

  test("works while GATEHOUSE_SECRET_KEY is replaced, and with the new one alone after 15 minutes", async () => {
    const { headers, signIn } = await makeMember(server);
    const secret = await setUpTotp(server, headers);
    const next = "another secret key of 32 characters";
    const keys = { secretKey: next, previousSecretKey: "a secret key of at least 32 characters" };
    const during = await server.replica(undefined, keys);
    const after = await server.replica(undefined, { secretKey: next });
    const signInAt = async (at: TestServer) => {
      server.clock.now += STEP_MS;
      return (await signIn({ code: totpCode(secret, server.clock.now) }, at)).status;
    };
    expect([await signInAt(server), await signInAt(during), await signInAt(after)]).toEqual([200, 200, 401]);
    const lines: string[] = [];
    const env = {
      database: server.database,
      now: () => server.clock.now,
      log: createLog("info", { write: (line: string) => void lines.push(line) }),
    };
    const job = renewSecrets(keys);
    const renewed = await server.database.prisma.totp.count();
    await job.run(env);
    expect([await signInAt(server), lines]).toEqual([200, []]);
    server.clock.now += 15 * MINUTE_MS;
    await job.run(env);
    await job.run(env);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { renewed, unreadable: 0, msg: expect.stringContaining("can be removed.") },
    ]);
    expect([await signInAt(server), await signInAt(during), await signInAt(after)]).toEqual([401, 200, 200]);
    await Promise.all([during.close(), after.close()]);
  });

  test("cannot be set up without GATEHOUSE_SECRET_KEY, and is refused after the key changes", async () => {
    const { headers, signIn } = await makeMember(server);
    const secret = await setUpTotp(server, headers);
    server.clock.now += STEP_MS;
    const rotated = await server.replica(undefined, { secretKey: "another secret key of 32 characters" });
    const code = totpCode(secret, server.clock.now);
    expect([(await signIn({ code }, rotated)).status, (await signIn({ code })).status]).toEqual([401, 200]);
    await rotated.close();
    const without = await server.replica(undefined, { secretKey: undefined });
    const other = await makeMember(without);
    const message = "Authenticator apps are not set up. The operator does that with GATEHOUSE_SECRET_KEY.";
    expect((await other.own("POST", "totp")).body).toEqual({ status: 404, code: "not_found", message });
    expect((await other.own("GET", "second_factors")).body.data.canUseTotp).toBe(false);
    await without.close();
  });
});

describe("a recovery code", () => {
  test("works once, even if several requests send it at once, and the audit log says how many are left", async () => {
    const { person, headers, signIn, own } = await makeMember(server);
    await setUpTotp(server, headers);
    const codes = await createCodes(server, headers);
    expect([new Set(codes).size, codes.every((code) => /^([a-z2-9]{4}-){3}[a-z2-9]{4}$/.test(code))]).toEqual([10, true]);
    const [code = "", other = ""] = codes;
    const typed = code.toUpperCase().replaceAll("-", " ");
    const answers = await Promise.all([code, typed, code, typed].map((one) => signIn({ code: one })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401]);
    expect((await signIn({ code })).body).toEqual(required(WRONG, "totp", "recovery_code"));
    expect((await signIn({ code: other })).status).toBe(200);
    expect((await own("GET", "second_factors")).body.data.recoveryCodes).toBe(8);
    const used = (await entriesBy(server, person.id)).filter(([, reason]) => reason?.startsWith("Used"));
    expect(used).toEqual([
      ["createSession", "Used a recovery code. 9 left."],
      ["createSession", "Used a recovery code. 8 left."],
    ]);
  });

  test("replaces earlier ones, and needs another second factor", async () => {
    const { headers, signIn, own } = await makeMember(server);
    expect((await own("POST", "recovery_codes")).body).toEqual(conflicting("Set up an authenticator app or a passkey first."));
    await setUpTotp(server, headers);
    const [[first], [second]] = [await createCodes(server, headers), await createCodes(server, headers)];
    expect([(await signIn({ code: first })).status, (await signIn({ code: second })).status]).toEqual([401, 200]);
    expect((await own("DELETE", "totp")).status).toBe(200);
    expect((await own("GET", "second_factors")).body.data).toMatchObject({ totp: null, recoveryCodes: 0 });
    expect((await signIn()).status).toBe(200);
  });
});

describe("a wrong second factor", () => {
  test("counts as a failure to sign in like a wrong password, in the limits and in the audit log", async () => {
    const proxied = await server.replica(undefined, { trustedProxies: ["loopback"] });
    const { person, headers, signIn } = await makeMember(proxied);
    const secret = await setUpTotp(server, headers);
    server.clock.now += STEP_MS;
    const attempt = async (more: object) => {
      const { status, body } = await signIn(more, proxied, { "X-Forwarded-For": "192.0.2.77" });
      return status === 200 ? "signed in" : body.code;
    };
    // The right password alone neither counts as a failure nor resets earlier failures.
    for (let count = 0; count < 10; count++) {
      const refused = [await attempt({ code: "000000" }), await attempt({})];
      expect([count, ...refused]).toEqual([count, "second_factor_required", count < 9 ? "second_factor_required" : "too_many_requests"]);
    }
    expect(await attempt({ code: totpCode(secret, server.clock.now) })).toBe("too_many_requests");
    const noted = await server.database.prisma.change.findFirst({ where: { entityID: person.email, actorID: "anonymous" } });
    expect(noted).toMatchObject({ operationID: "createSession", entityType: "session", reason: "Failed to sign in." });
    await proxied.close();
  });

  test("gets the same response as a wrong password if the password is wrong", async () => {
    const [one, other] = [await makeMember(server), await makeMember(server)];
    await setUpTotp(server, one.headers);
    for (const more of [{ password: "wrong" }, { password: "wrong", code: "123456" }]) {
      const bodies = [(await one.signIn(more)).body, (await other.signIn(more)).body];
      const refused = { status: 401, code: "unauthorized", message: "The email address or the password is wrong." };
      expect(bodies).toEqual([refused, refused]);
    }
  });
});

describe("redeeming a one-time link", () => {
  test("requires the second factor of the person, and changes neither the link nor the password without it", async () => {
    const { person, headers, signIn } = await makeMember(server);
    const secret = await setUpTotp(server, headers);
    server.clock.now += STEP_MS;
    for (const purpose of ["password_reset", "invitation"] as const) {
      const token = await makeToken(server, purpose, person.id);
      const body = { token, email: person.email, password: "seven bridges of Königsberg" };
      const redeem = (more: object = {}) => server.send("POST", "/console/v1/session/redeem", { body: { ...body, ...more } });
      const refused = await redeem();
      expect([refused.body, readCookie(refused.headers)]).toEqual([missing("totp"), ""]);
      expect((await redeem({ code: "000000" })).body).toEqual(required(WRONG, "totp"));
      const password = purpose === "invitation" ? body.password : PASSWORD;
      expect((await signIn({ password })).body.code).toBe("second_factor_required");
      expect((await redeem({ code: totpCode(secret, server.clock.now) })).status).toBe(200);
      server.clock.now += STEP_MS;
    }
  });
});

describe("changing second factors", () => {
  test("needs the password or a passkey within 10 minutes", async () => {
    const { own, headers } = await makeMember(server);
    const passkey = await setUpPasskey(server, headers);
    const changes = [
      ["POST", "totp"],
      ["PUT", "totp", { code: "123456" }],
      ["DELETE", "totp"],
      ["POST", "passkeys/challenge"],
      ["POST", "passkeys", { name: "Phone", passkey: passkey.create({ challenge: "none" }) }],
      ["PATCH", `passkeys/${passkey.id}`, { name: "Phone" }],
      ["DELETE", `passkeys/${passkey.id}`],
      ["POST", "recovery_codes"],
    ] as const;
    server.clock.now += 10 * MINUTE_MS;
    for (const [method, path, body] of changes) {
      const answer = await own(method, path, body);
      expect([method, path, answer.status, answer.body.message]).toEqual([method, path, 403, CONFIRM]);
    }
    expect((await own("GET", "second_factors")).body.data.confirmedUntil).toBeNull();
    expect((await own("POST", "confirmation", { password: "wrong" })).body).toEqual(invalid(["password", "is wrong"]));
    expect((await own("POST", "confirmation", {})).body).toEqual(invalid(["password", "is required unless the request has a passkey"]));
    expect((await own("POST", "confirmation", { password: PASSWORD })).status).toBe(200);
    expect((await own("POST", "recovery_codes")).status).toBe(200);
  });

  test("ends other sessions when the first factor is added and when any is removed, and is in the audit log", async () => {
    const { person, headers, own, signIn, status } = await makeMember(server);
    const before = asPerson(readSecret((await signIn()).headers));
    const secret = await setUpTotp(server, headers);
    expect([await status(before), await status()]).toEqual([401, 200]);
    server.clock.now += STEP_MS;
    const after = asPerson(readSecret((await signIn({ code: totpCode(secret, server.clock.now) })).headers));
    const passkey = await setUpPasskey(server, headers);
    expect(await status(after)).toBe(200);
    expect((await own("PATCH", `passkeys/${passkey.id}`, { name: "Work laptop" })).body.data.name).toBe("Work laptop");
    expect((await own("DELETE", `passkeys/${passkey.id}`)).status).toBe(200);
    expect([await status(after), await status()]).toEqual([401, 200]);
    expect((await own("DELETE", `passkeys/${passkey.id}`)).body.message).toBe(`Passkey ${passkey.id} does not exist.`);
    await own("DELETE", "totp");
    expect((await entriesBy(server, person.id)).filter(([operation]) => operation !== "createSession")).toEqual([
      ["startTotpSetup", "Started to set up an authenticator app."],
      ["confirmTotp", "Set up an authenticator app, which ended the other sessions."],
      ["createPasskey", "Created the passkey Laptop."],
      ["patchPasskey", "Renamed a passkey to Work laptop."],
      ["deletePasskey", "Removed the passkey Work laptop, which ended the other sessions."],
      ["deleteTotp", "Removed the authenticator app, which ended the other sessions."],
    ]);
  });

  test("leaves no secret in the database, the change log or the log", async () => {
    const { headers, signIn } = await makeMember(server);
    const secret = await setUpTotp(server, headers);
    const [used = "", kept = ""] = await createCodes(server, headers);
    expect((await signIn({ code: used })).status).toBe(200);
    const { prisma } = server.database;
    const rows = [await prisma.change.findMany(), await prisma.totp.findMany(), await prisma.recoveryCode.findMany()];
    const texts = JSON.stringify(rows, (_, value) => (typeof value === "bigint" ? Number(value) : value)) + server.logged.join("");
    for (const hidden of [secret, used, kept, kept.replaceAll("-", "")]) expect(texts).not.toContain(hidden);
  });
});

describe("changePassword", () => {
  test("needs no current password for 10 minutes after a passkey was used, and no second factor", async () => {
    const { own, headers } = await makeMember(server);
    const passkey = await setUpPasskey(server, headers);
    const change = () => own("PUT", "password", { password: "seven bridges of Königsberg" });
    expect((await change()).body).toEqual(invalid(["currentPassword", "is required"]));
    const { data } = (await own("POST", "confirmation/challenge")).body;
    expect((await own("POST", "confirmation", { passkey: passkey.get(data) })).status).toBe(200);
    expect((await change()).status).toBe(200);
    server.clock.now += 10 * MINUTE_MS;
    expect((await change()).status).toBe(400);
  });
});
