import { describe, expect, test } from "vitest";
import { type ClaimPath, toIdentity } from "./identity.ts";

const TOKEN = { iss: "https://login.example.com", sub: "248289761001" };
const read = (
  token: object,
  info: object = {},
  { trustsEmails = false, roleClaim }: { trustsEmails?: boolean; roleClaim?: ClaimPath } = {},
) => toIdentity({ ...TOKEN, ...token }, { ...info }, { trustsEmails, roleClaim });

describe("the address of an identity", () => {
  const email = "kim@example.com";
  const address = (token: object, info: object = {}, trustsEmails = false) => read(token, info, { trustsEmails }).address;

  test.each([
    [true, { email }],
    ["true", { email }],
    [false, { fault: "unverified" }],
    ["false", { fault: "unverified" }],
    ["yes", { fault: "unverified" }],
    [1, { fault: "unverified" }],
    [null, { fault: "unverified" }],
    [undefined, { fault: "unstated" }],
  ])("counts if the provider says that it is verified: %j", (verified, expected) => {
    expect(address({ email, email_verified: verified })).toEqual(expected);
    expect(address({}, { email, email_verified: verified })).toEqual(expected);
    // The trust in an issuer counts only if the claim is missing.
    expect(address({ email, email_verified: verified }, {}, true)).toEqual(verified === undefined ? { email } : expected);
  });

  test("is that of the user info, and the ID token may say that it is verified", () => {
    expect(address({ email, email_verified: true }, { email: "Kim@example.com" })).toEqual({ email });
    expect(address({ email_verified: true }, { email })).toEqual({ email });
    expect(address({ email: "other@example.com", email_verified: true }, { email })).toEqual({ fault: "unstated" });
    expect(address({ email, email_verified: false }, { email, email_verified: true })).toEqual({ fault: "unverified" });
    expect(address({ email, email_verified: false }, { email }, true)).toEqual({ fault: "unverified" });
  });

  test("is never cut, and never folded into another one", () => {
    const longest = `${"a".repeat(242)}@example.com`;
    expect(address({ email: longest, email_verified: true })).toEqual({ email: longest });
    for (const text of [`a${longest}`, `${longest}.evil.org`, "m@evil.org@example.com", "\u212aim@example.com", 7, {}])
      expect(address({ email: text, email_verified: true })).toEqual({ fault: "invalid" });
    for (const none of [undefined, null, ""]) expect(address({ email: none, email_verified: true })).toEqual({ fault: "missing" });
  });
});

describe("the roles of an identity", () => {
  const roles = (roleClaim: ClaimPath, token: object, info: object = {}) => read(token, info, { roleClaim }).roles;

  test.each([
    ["groups", { groups: ["leads", 1, null] }, ["leads"]],
    ["groups", { groups: "leads" }, ["leads"]],
    ["groups", {}, []],
    ["cognito:groups", { "cognito:groups": ["leads"] }, ["leads"]],
    ["realm_access.roles", { realm_access: { roles: ["leads"] } }, ["leads"]],
    ["realm_access.roles", { "realm_access.roles": ["exact"], realm_access: { roles: ["leads"] } }, ["exact"]],
    ["https://example.com/groups", { "https://example.com/groups": ["leads"] }, ["leads"]],
    [["resource_access", "my.client", "roles"], { resource_access: { "my.client": { roles: ["leads"] } } }, ["leads"]],
    [["a.b"], { a: { b: ["nested"] } }, []],
    ["constructor.name", {}, []],
    ["groups.length", { groups: "leads" }, []],
  ])("are the texts at %j", (claim, token, expected) => {
    expect(roles(claim, token)).toEqual(expected);
    expect(roles(claim, {}, token)).toEqual(expected);
  });

  test("are those of the user info, or else of the ID token", () => {
    expect(roles("groups", { groups: ["token"] }, { groups: ["info"] })).toEqual(["info"]);
    expect(roles("groups", { groups: ["token"] }, { groups: [] })).toEqual([]);
  });

  test.each([
    ["groups", { _claim_names: { groups: "src1" }, _claim_sources: { src1: { endpoint: "https://graph.example.com" } } }, null],
    ["groups", { hasgroups: true }, null],
    ["groups", { _claim_names: { wids: "src1" } }, []],
    ["roles", { hasgroups: true }, []],
    ["groups", { groups: ["leads"], _claim_names: { groups: "src1" } }, ["leads"]],
  ])("are unknown if the provider left them out as too many: %s of %j", (claim, token, expected) => {
    expect(roles(claim, token)).toEqual(expected);
  });
});

describe("the name of an identity", () => {
  test("is bounded, without characters that no database stores", () => {
    const { firstName, lastName } = read({ given_name: `${"\u{1f600}".repeat(300)}`, family_name: "Hop\u0000per\ud800" });
    expect([firstName, lastName]).toEqual(["\u{1f600}".repeat(200), "Hop per"]);
  });

  test("is split if the provider has only a whole one", () => {
    expect(read({ name: " Grace Brewster  Hopper" })).toMatchObject({ firstName: "Grace", lastName: "Brewster Hopper" });
  });
});
