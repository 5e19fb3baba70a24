import { describe, expect, test } from "vitest";
import { readConfig } from "./config.ts";

describe("the settings of SCIM", () => {
  const read = (env: Record<string, string>) => readConfig(env).scim;
  const [one, two] = ["a".repeat(32), "b".repeat(40)] as [string, string];

  test("take one or two tokens, and roles of groups with the syntax of roles of claims", () => {
    expect(read({ GATEHOUSE_SCIM_TOKENS: one })).toEqual({ tokens: [one], roles: undefined });
    expect(read({ GATEHOUSE_SCIM_TOKENS: `${one}, ${two}`, GATEHOUSE_SCIM_ROLES: "Flag leads=Admin,it=administrator" })).toEqual({
      tokens: [one, two],
      roles: [
        ["Flag leads", "Admin"],
        ["it", "administrator"],
      ],
    });
    expect(read({})).toBeUndefined();
  });

  test.each([
    [{ GATEHOUSE_SCIM_TOKENS: "short" }, "GATEHOUSE_SCIM_TOKENS must be one token"],
    [{ GATEHOUSE_SCIM_TOKENS: [one, two, one].join() }, "GATEHOUSE_SCIM_TOKENS must be one token"],
    [{ GATEHOUSE_SCIM_ROLES: "leads=Admin" }, "GATEHOUSE_SCIM_ROLES needs GATEHOUSE_SCIM_TOKENS"],
    [{ GATEHOUSE_SCIM_TOKENS: one, GATEHOUSE_SCIM_ROLES: "leads" }, "GATEHOUSE_SCIM_ROLES must be pairs"],
    [
      {
        GATEHOUSE_SCIM_TOKENS: one,
        GATEHOUSE_SCIM_ROLES: "leads=Admin",
        GATEHOUSE_PUBLIC_URL: "https://flags.example.com",
        GATEHOUSE_OIDC_ISSUER: "https://idp.example.com",
        GATEHOUSE_OIDC_CLIENT_ID: "id",
        GATEHOUSE_OIDC_CLIENT_SECRET: "secret",
        GATEHOUSE_OIDC_ALLOWED_DOMAINS: "example.com",
        GATEHOUSE_OIDC_ROLE_CLAIM: "groups",
        GATEHOUSE_OIDC_ROLES: "leads=Admin",
      },
      "GATEHOUSE_OIDC_ROLE_CLAIM and GATEHOUSE_SCIM_ROLES can't both be set",
    ],
  ])("are refused: %j", (env, fault) => {
    expect(() => readConfig(env)).toThrow(fault);
  });
});
