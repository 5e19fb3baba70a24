import type { RequestListener } from "node:http";
import type { ClientAuthMethod, Configuration } from "oidc-provider";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createProvider, type OidcConfig, type Provider } from "../../src/accounts/provider.ts";
import { readConfig } from "../../src/startup/config.ts";
import { Browser, CLIENT, startIdentityProvider } from "../support/identity-provider.ts";
import { startServer, type TestServer } from "../support/server.ts";

// The metadata and claims of well-known providers, sent by a real one, with the settings that the documentation advises.

const PUBLIC_URL = "http://gatehouse.test:4000";
const CALLBACK = `${PUBLIC_URL}/console/v1/session/oidc/callback`;

type Claims = Record<string, unknown>;

type Profile = {
  /** `token_endpoint_auth_methods_supported`. */
  methods: ClientAuthMethod[];
  /** Claims of the ID token, which have every scope, and of the user info, by scope. */
  idToken?: Claims;
  userInfo: Record<string, Claims>;
  /** The settings `GATEHOUSE_OIDC_…`; `ISSUER` stands for the issuer. */
  settings?: Record<string, string>;
  instead?: Record<string, (serve: RequestListener) => RequestListener>;
};

const person = { email: "grace@example.com", given_name: "Grace", family_name: "Hopper", name: "Grace Hopper" };
const { email, ...names } = person;
const verified = { email, email_verified: true };

/** Rejects clients that don't authenticate by a header. */
const basicOnly =
  (serve: RequestListener): RequestListener =>
  (request, response) => {
    if (request.headers.authorization?.startsWith("Basic ")) return serve(request, response);
    response.writeHead(401, { "Content-Type": "application/json" }).end('{"error":"invalid_client","error_description":"Use a header."}');
  };

const entra = (more: Claims = {}, settings = {}): Profile => ({
  methods: ["client_secret_post", "private_key_jwt", "client_secret_basic"],
  idToken: { email, name: names.name, oid: "1f0c", tid: "8a8f", ver: "2.0", groups: ["0760b6cf-170e-4a14-91b3-4b78e0739963"], ...more },
  userInfo: { email: { email }, profile: names },
  settings: {
    TRUST_EMAILS_FROM: "ISSUER",
    ROLE_CLAIM: "groups",
    ROLES: "0760b6cf-170e-4a14-91b3-4b78e0739963=Admin",
    ...settings,
  },
});

const keycloak = (email_verified: boolean): Profile => ({
  methods: ["private_key_jwt", "client_secret_basic", "client_secret_post", "client_secret_jwt"],
  idToken: { email, email_verified, realm_access: { roles: ["offline_access", "flag-leads"] } },
  userInfo: { email: { email, email_verified }, profile: { ...names, realm_access: { roles: ["offline_access", "flag-leads"] } } },
  settings: { ROLE_CLAIM: "realm_access.roles", ROLES: "flag-leads=Admin" },
});

const cognito = (email_verified: string): Profile => ({
  methods: ["client_secret_basic", "client_secret_post"],
  idToken: { email, email_verified: email_verified === "true", "cognito:groups": ["leads"], "cognito:username": "grace" },
  userInfo: { email: { email, email_verified }, profile: { ...names, username: "grace" } },
  settings: { ROLE_CLAIM: "cognito:groups", ROLES: "leads=Admin" },
});

const dex = (settings = {}): Profile => ({
  methods: ["client_secret_basic", "client_secret_post"],
  userInfo: { email: verified, profile: names, groups: { groups: ["cn=leads,ou=groups,dc=example,dc=com"] } },
  settings: { ROLE_CLAIM: "groups", ROLES: '[["cn=leads,ou=groups,dc=example,dc=com","Admin"]]', ...settings },
});

const authelia: Profile = {
  methods: ["client_secret_basic", "client_secret_post", "client_secret_jwt", "private_key_jwt", "none"],
  userInfo: { email: verified, profile: names, groups: { groups: ["leads"] } },
  settings: { SCOPES: "openid email profile groups", ROLE_CLAIM: "groups", ROLES: "leads=Admin" },
  instead: { "/token": basicOnly },
};

/** Hides a field of the metadata. */
const withoutMethods =
  (serve: RequestListener): RequestListener =>
  (request, response) => {
    const end = response.end.bind(response);
    response.end = ((body: string | Buffer) => {
      const { token_endpoint_auth_methods_supported: _, ...metadata } = JSON.parse(String(body));
      const text = JSON.stringify(metadata);
      response.setHeader("Content-Length", Buffer.byteLength(text));
      return end(text);
    }) as typeof response.end;
    serve(request, response);
  };

/** The provider of the test that runs. */
let current: Provider;
const provider: Provider = {
  get config() {
    return current.config;
  },
  begin: () => current.begin(),
  finish: (...given) => current.finish(...given),
};

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ publicUrl: PUBLIC_URL, provider });
});
afterAll(() => server.close());

/** @param login stands in the addresses in place of `grace` */
function configurationOf({ methods, ...given }: Profile, login: string): Configuration {
  const texts = JSON.stringify({ idToken: given.idToken ?? {}, userInfo: given.userInfo });
  const { idToken, userInfo }: Required<Pick<Profile, "idToken" | "userInfo">> = JSON.parse(texts.replaceAll("grace@", `${login}@`));
  const claims = Object.fromEntries(Object.entries(userInfo).map(([scope, given]) => [scope, Object.keys(given)]));
  return {
    claims: { ...claims, openid: ["sub", ...Object.keys(idToken), ...Object.keys(Object(idToken._claim_names))] },
    scopes: Object.keys(userInfo),
    clientAuthMethods: methods,
    findAccount: (_context, id) => ({
      accountId: id,
      claims: async (use) => ({ sub: id, ...(use === "id_token" ? idToken : Object.assign({}, ...Object.values(userInfo))) }),
    }),
  };
}

/** Signs in with a provider of a profile, as a browser does. @returns the last response, and the person's role in the default project */
async function signIn(profile: Profile, login: string) {
  const { instead = {}, settings = {} } = profile;
  const idp = await startIdentityProvider(CALLBACK, {}, { configuration: configurationOf(profile, login), instead });
  const env = {
    ISSUER: "ISSUER",
    CLIENT_ID: CLIENT.clientID,
    CLIENT_SECRET: CLIENT.clientSecret,
    ALLOWED_DOMAINS: "example.com",
    ...settings,
  };
  const given = Object.entries(env).map(([name, value]) => [`GATEHOUSE_OIDC_${name}`, value.replace(/^ISSUER$/, idp.issuer)]);
  const { oidc } = readConfig({ GATEHOUSE_PUBLIC_URL: PUBLIC_URL, ...Object.fromEntries(given) });
  current = createProvider(oidc as OidcConfig, CALLBACK);
  try {
    const browser = new Browser();
    const started = await browser.visit(`${server.url}/console/v1/session/oidc`);
    const { pathname, search } = new URL(await browser.signInAt(started, login, new URL(PUBLIC_URL).host));
    const response = await browser.visit(`${server.url}${pathname}${search}`, { headers: { Accept: "text/html,*/*;q=0.8" } });
    const session: any = await (await browser.visit(`${server.url}/console/v1/session`)).json();
    const role = session.data?.projects.find(({ id }: { id: string }) => id === "default")?.role ?? null;
    return { status: response.status, page: await response.text(), role };
  } finally {
    await idp.close();
  }
}

describe("people of", () => {
  test.each<[string, Profile, string | null]>([
    ["Entra ID, which says nothing of email addresses and authenticates clients in the body", entra(), "Admin"],
    ["Cognito, which sends true as a text and groups in the ID token alone", cognito("true"), "Admin"],
    [
      "Google, which sends no groups",
      { methods: ["client_secret_post", "client_secret_basic"], idToken: verified, userInfo: { email: verified, profile: names } },
      null,
    ],
    [
      "Okta, which sends groups for a scope",
      {
        methods: ["client_secret_basic", "client_secret_post", "client_secret_jwt", "private_key_jwt", "none"],
        userInfo: { email: verified, profile: names, groups: { groups: ["Everyone", "Flag leads"] } },
        settings: { SCOPES: "openid email profile groups", ROLE_CLAIM: "groups", ROLES: "Flag leads=Admin" },
      },
      "Admin",
    ],
    [
      "Auth0, whose own claims have URLs as names",
      {
        methods: ["client_secret_basic", "client_secret_post", "private_key_jwt"],
        idToken: { ...verified, "https://example.com/groups": ["leads"] },
        userInfo: { email: verified, profile: { ...names, "https://example.com/groups": ["leads"] } },
        settings: { ROLE_CLAIM: "https://example.com/groups", ROLES: "leads=Admin" },
      },
      "Admin",
    ],
    ["Keycloak, which nests its roles", keycloak(true), "Admin"],
    ["Dex with the scope of groups, whose names are LDAP's", dex({ SCOPES: "openid email profile groups" }), "Admin"],
    ["Dex without that scope", dex(), null],
    ["Authelia, which sends all claims in the user info and allows a client one method of those it lists", authelia, "Admin"],
    [
      "a provider whose metadata says nothing of client authentication",
      { ...authelia, instead: { "/token": basicOnly, "/.well-known/openid-configuration": withoutMethods } },
      "Admin",
    ],
  ])("%s", async (name, profile, role) => {
    const { status, role: given } = await signIn(profile, name.replaceAll(/[^a-z]/g, ""));
    expect([status, given]).toEqual([303, role]);
  });

  test.each<[string, Profile, string, string]>([
    [
      "Entra ID without the trust in its addresses",
      entra({}, { TRUST_EMAILS_FROM: "" }),
      "The provider does not say that it has verified your email address. Ask an administrator of this server.",
      "read about GATEHOUSE_OIDC_TRUST_EMAILS_FROM in the documentation",
    ],
    [
      "Entra ID whose address is not verified, in spite of that trust",
      entra({ email_verified: false }),
      "The provider has not verified your email address. Ask an administrator of the provider.",
      "The provider says that the address is not verified. Verify it there.",
    ],
    [
      "Cognito who have not verified their address",
      cognito("false"),
      "The provider has not verified your email address. Ask an administrator of the provider.",
      "The provider says that the address is not verified. Verify it there.",
    ],
    [
      "Keycloak who have not verified their address",
      keycloak(false),
      "The provider has not verified your email address. Ask an administrator of the provider.",
      "The provider says that the address is not verified. Verify it there.",
    ],
    [
      "Okta without an address",
      { methods: ["client_secret_basic"], userInfo: { profile: names }, settings: { SCOPES: "openid profile" } },
      "The provider did not send your email address. Ask an administrator of the provider.",
      "GATEHOUSE_OIDC_SCOPES must contain the scope that adds it.",
    ],
    [
      "a provider of another domain",
      { methods: ["client_secret_basic", "client_secret_post"], userInfo: { email: { ...verified, email: "m@evil.org" }, profile: names } },
      "Your email address is not in a domain that may sign in. Ask an administrator of this server.",
      "GATEHOUSE_OIDC_ALLOWED_DOMAINS does not list the domain of this person&#39;s address.",
    ],
    [
      "a provider with an address that has two domains",
      {
        methods: ["client_secret_basic", "client_secret_post"],
        userInfo: { email: { ...verified, email: "m@evil.org@example.com" }, profile: names },
      },
      "The provider sent an email address that this server does not accept. Ask an administrator of the provider.",
      "An address has at most 254 characters, all of them ASCII, and one @.",
    ],
  ])("%s are not admitted, by a page that says why", async (name, profile, message, advice) => {
    const { status, page, role } = await signIn(profile, name.replaceAll(/[^a-z]/g, ""));
    expect([status, role]).toEqual([403, null]);
    expect(page).toContain(`<p>${message}</p>`);
    expect(page).toContain(advice);
  });

  test("Entra ID with too many groups keep their role, and the log says so", async () => {
    expect(await signIn(entra(), "groups")).toMatchObject({ status: 303, role: "Admin" });
    const more = {
      groups: undefined,
      _claim_names: { groups: "src1" },
      _claim_sources: { src1: { endpoint: "https://graph.example.com" } },
    };
    expect(await signIn(entra(more), "groups")).toMatchObject({ status: 303, role: "Admin" });
    const logged = server.logged.map((line) => JSON.parse(line));
    expect(logged.find(({ msg }) => msg.startsWith("The provider left out the claim"))).toMatchObject({
      level: 40,
      operation: "finishSingleSignOn",
      requestID: expect.stringMatching(/^[\w-]{36}$/),
    });
    expect(await signIn(entra({ groups: ["other"] }), "groups")).toMatchObject({ status: 303, role: null });
  });
});
