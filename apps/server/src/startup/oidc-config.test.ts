import { describe, expect, test } from "vitest";
import { faults } from "../../test/support/config-faults.ts";
import { readConfig } from "./config.ts";

describe("the settings of single sign-on", () => {
  const ISSUER = "https://login.microsoftonline.com/8a8f4d0e-6a7d-4f1c-9a55-0d0d7b1f5a11/v2.0";
  const provider = {
    GATEHOUSE_PUBLIC_URL: "https://flags.example.com",
    GATEHOUSE_OIDC_ISSUER: ISSUER,
    GATEHOUSE_OIDC_CLIENT_ID: "gatehouse",
    GATEHOUSE_OIDC_CLIENT_SECRET: "hidden",
    GATEHOUSE_OIDC_ALLOWED_DOMAINS: "example.com",
  };
  const roles = (text: string) => readConfig({ ...provider, GATEHOUSE_OIDC_ROLE_CLAIM: "groups", GATEHOUSE_OIDC_ROLES: text }).oidc?.roles;
  const claim = (text: string) =>
    readConfig({ ...provider, GATEHOUSE_OIDC_ROLE_CLAIM: text, GATEHOUSE_OIDC_ROLES: "a=Admin" }).oidc?.roleClaim;

  test("roles can be JSON, for values with any characters, in the order of their importance", () => {
    expect(roles('[["cn=it,ou=groups,dc=example,dc=com","administrator"],["1001","Admin"],["7","Member"]]')).toEqual([
      ["cn=it,ou=groups,dc=example,dc=com", "administrator"],
      ["1001", "Admin"],
      ["7", "Member"],
    ]);
  });

  test.each(["[", "[]", '[["a"]]', '[["a","Admin","b"]]', '["a","Admin"]', '[["a",1]]', '[["","Admin"]]', "cn=a,dc=b=Admin", "{}"])(
    "roles cannot be %s",
    (text) => {
      expect(faults({ ...provider, GATEHOUSE_OIDC_ROLE_CLAIM: "groups", GATEHOUSE_OIDC_ROLES: text })).toEqual([
        'GATEHOUSE_OIDC_ROLES must be pairs such as leads=Admin, separated by commas, or JSON such as [["cn=leads,dc=example","Admin"]]',
      ]);
    },
  );

  test("the claim of roles is a name, a path with dots, or a path as JSON", () => {
    expect(["realm_access.roles", "https://example.com/groups", '["resource_access","my.client","roles"]'].map(claim)).toEqual([
      "realm_access.roles",
      "https://example.com/groups",
      ["resource_access", "my.client", "roles"],
    ]);
    const must =
      'GATEHOUSE_OIDC_ROLE_CLAIM must be the name of a claim, a path such as realm_access.roles, or a JSON array such as ["resource_access","my.client","roles"]';
    for (const text of ["[", "[]", "[1]", '[""]', '["a",["b"]]'])
      expect(faults({ ...provider, GATEHOUSE_OIDC_ROLE_CLAIM: text, GATEHOUSE_OIDC_ROLES: "a=Admin" })[0]).toBe(must);
  });

  test("scopes are separated by spaces, and contain openid", () => {
    const scopes = (text: string) => ({ ...provider, GATEHOUSE_OIDC_SCOPES: text });
    expect(readConfig(scopes(" openid email  groups groups ")).oidc?.scopes).toEqual(["openid", "email", "groups"]);
    for (const text of ["email groups", "openid,email", 'openid "email"', "openid\temail"])
      expect(faults(scopes(text))).toEqual([
        "GATEHOUSE_OIDC_SCOPES must be scopes such as openid email groups, separated by spaces, with openid",
      ]);
  });

  test("addresses are trusted without email_verified only from the issuer itself, if its accounts are one organization's", () => {
    const trust = (trusted: string, issuer = trusted) => ({
      ...provider,
      GATEHOUSE_OIDC_ISSUER: issuer,
      GATEHOUSE_OIDC_TRUST_EMAILS_FROM: trusted,
    });
    expect(readConfig(provider).oidc?.trustsEmails).toBe(false);
    for (const issuer of [ISSUER, "https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_AbC123", "https://login.example.com"])
      expect(readConfig(trust(issuer)).oidc?.trustsEmails).toBe(true);
    const refused = [
      trust("yes", ISSUER),
      trust(ISSUER.replace("8a8f", "8a8e"), ISSUER),
      ...["common", "organizations", "consumers", "9188040d-6c67-4c5b-b112-36a304b66dad"].map((tenant) =>
        trust(`https://login.microsoftonline.com/${tenant}/v2.0`),
      ),
      trust("https://accounts.google.com"),
    ];
    for (const env of refused)
      expect(faults(env)).toEqual([
        "GATEHOUSE_OIDC_TRUST_EMAILS_FROM must be the URL in GATEHOUSE_OIDC_ISSUER, of a provider with the accounts of one organization (so not Google's, or Microsoft's common one)",
      ]);
  });

  test("a domain is not folded into another one", () => {
    expect(readConfig({ ...provider, GATEHOUSE_OIDC_ALLOWED_DOMAINS: "Kiwi.example" }).oidc?.allowedDomains).toEqual(["kiwi.example"]);
    expect(faults({ ...provider, GATEHOUSE_OIDC_ALLOWED_DOMAINS: "\u212aiwi.example" })).toHaveLength(1);
  });
});
