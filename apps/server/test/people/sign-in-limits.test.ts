import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toNetwork } from "../../src/accounts/attempts.ts";
import { makePerson, signIn } from "../support/people.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { TEST_ADMINISTRATOR } from "../support/template-database.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const WINDOW_MS = 15 * 60 * 1000;

/** Limits count in windows that begin at fixed times. A run that spans the end of a window is not a proof: it is repeated, from another address. */
async function inOneWindow(addresses: [string, string], run: (address: string) => Promise<void>): Promise<void> {
  const present = () => Math.floor(Date.now() / WINDOW_MS);
  const [first, second] = addresses;
  const begun = present();
  await run(first).catch((error: unknown) => {
    if (present() === begun) throw error;
    return run(second);
  });
}

describe("failures to sign in", () => {
  const from = (address: string) => ({ "X-Forwarded-For": address });
  let proxied: TestServer;
  let other: TestServer;
  beforeAll(async () => {
    proxied = await server.replica(undefined, { trustedProxies: ["loopback"] });
    other = await server.replica(undefined, { trustedProxies: ["loopback"] });
  });
  afterAll(() => Promise.all([proxied.close(), other.close()]));

  test("beyond ten for an account from an address receive 429 with Retry-After, even with the right password; other addresses do not", async () => {
    const { person } = await makePerson(server, { password: TEST_ADMINISTRATOR.password });
    const attempt = (password: string, address: string) => signIn(proxied, { email: person.email, password }, from(address));
    await inOneWindow(["192.0.2.1", "192.0.2.11"], async (address) => {
      for (let count = 0; count < 10; count++) expect((await attempt("a wrong password", address)).status).toBe(401);
      const { status, body, headers } = await attempt(TEST_ADMINISTRATOR.password, address);
      const message = "There were too many failed attempts. Try again after Retry-After seconds.";
      expect([status, body]).toEqual([429, { status: 429, code: "too_many_requests", message }]);
      expect(Number(headers.get("Retry-After"))).toSatisfy((seconds: number) => seconds >= 1 && seconds <= 900);
    });
    expect((await attempt(TEST_ADMINISTRATOR.password, "192.0.2.2")).status).toBe(200);
  });

  test("cannot exceed the limit by being sent at once, to several servers", async () => {
    await inOneWindow(["192.0.2.3", "192.0.2.13"], async (address) => {
      const sent = Array.from({ length: 30 }, (_, index) =>
        signIn(index % 2 === 0 ? proxied : other, { email: "raced@example.com", password: "a wrong password" }, from(address)),
      );
      const statuses = (await Promise.all(sent)).map(({ status }) => status);
      expect([statuses.filter((one) => one === 401).length, statuses.filter((one) => one === 429).length]).toEqual([10, 20]);
    });
  });

  test("before a success count no more", async () => {
    const { person } = await makePerson(server, { password: TEST_ADMINISTRATOR.password });
    const attempt = (password: string) => signIn(proxied, { email: person.email, password }, from("192.0.2.4"));
    for (let round = 0; round < 2; round++) {
      for (let count = 0; count < 9; count++) expect((await attempt("a wrong password")).status).toBe(401);
      expect((await attempt(TEST_ADMINISTRATOR.password)).status).toBe(200);
    }
  });

  test("of any accounts from one address are limited to a hundred, and further ones store nothing", async () => {
    const countRows = () => server.database.prisma.writeLease.count();
    await inOneWindow(["2001:db8::1", "2001:db8:1::1"], async (address) => {
      const attempt = (index: number) => signIn(proxied, { email: `guessed${index}@example.com`, password: "guess" }, from(address));
      for (let index = 0; index < 100; index++) expect((await attempt(index)).status).toBe(401);
      const before = await countRows();
      for (let index = 100; index < 105; index++) expect((await attempt(index)).status).toBe(429);
      expect(await countRows()).toBe(before);
    });
  });

  test("of an account from any addresses are limited to a hundred, but where the account is signed in", async () => {
    const { person } = await makePerson(server, { password: TEST_ADMINISTRATOR.password });
    const attempt = (password: string, address: string) => signIn(proxied, { email: person.email, password }, from(address));
    expect((await attempt(TEST_ADMINISTRATOR.password, "203.0.113.1")).status).toBe(200);
    await inOneWindow(["198.51.100", "198.51.101"], async (network) => {
      for (let index = 0; index < 100; index++) expect((await attempt("guess", `${network}.${index % 10}`)).status).toBe(401);
      expect((await attempt(TEST_ADMINISTRATOR.password, `${network}.99`)).status).toBe(429);
      expect((await attempt(TEST_ADMINISTRATOR.password, "203.0.113.1")).status).toBe(200);
    });
  });

  test("of others from one address don't keep people out who are signed in from there", async () => {
    const { person } = await makePerson(server, { password: TEST_ADMINISTRATOR.password });
    await inOneWindow(["203.0.113.2", "203.0.113.3"], async (address) => {
      const own = () => signIn(proxied, { email: person.email, password: TEST_ADMINISTRATOR.password }, from(address));
      expect((await own()).status).toBe(200);
      const guess = (index: number) => signIn(proxied, { email: `nat${index}@example.com`, password: "guess" }, from(address));
      for (let index = 0; index < 100; index++) await guess(index);
      expect([(await guess(100)).status, (await own()).status]).toEqual([429, 200]);
    });
  });

  test("count for the network that a provider gives to one customer", () => {
    expect([toNetwork("192.0.2.7"), toNetwork("::ffff:192.0.2.7"), toNetwork("2001:db8:1:2:3:4:5:6"), toNetwork("")]).toEqual([
      "192.0.2.7",
      "192.0.2.7",
      "2001:db8:1:2::/64",
      "unknown",
    ]);
  });
});
