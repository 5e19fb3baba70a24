import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import Provider, { type Configuration } from "oidc-provider";
import type { OidcConfig } from "../../src/accounts/provider.ts";

/** The accounts that the provider accepts, by login, with their claims. */
export type Accounts = Record<string, Record<string, unknown>>;

export type IdentityProvider = {
  issuer: string;
  accounts: Accounts;
  close(): Promise<void>;
};

export const CLIENT = { clientID: "gatehouse", clientSecret: "a secret that only the two know" };

/** The settings of a server whose people have an account at a provider. */
export function oidcConfig(issuer: string, changes: Partial<OidcConfig> = {}): OidcConfig {
  const admits = { scopes: ["openid", "email", "profile"], allowedDomains: ["example.com"], trustsEmails: false };
  return { issuer, ...CLIENT, ...admits, roleClaim: undefined, roles: [], ...changes };
}

type IdentityProviderOptions = {
  /** In place of the settings of a provider that has every claim in its user info. */
  configuration?: Configuration;
  /** Handlers of paths in place of the provider's own. */
  instead?: Record<string, (serve: RequestListener) => RequestListener>;
};

/** Starts a real OpenID Connect provider with one client. @param redirectUri where it sends browsers back to */
export async function startIdentityProvider(
  redirectUri: string,
  accounts: Accounts,
  { configuration, instead = {} }: IdentityProviderOptions = {},
): Promise<IdentityProvider> {
  const server: Server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [{ client_id: CLIENT.clientID, client_secret: CLIENT.clientSecret, redirect_uris: [redirectUri] }],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "given_name", "family_name", "groups"] },
    findAccount: (_context, id) => ({ accountId: id, claims: async () => ({ sub: id, ...accounts[id] }) }),
    cookies: { keys: ["a key of the test"] },
    ...configuration,
  });
  const serve = provider.callback();
  server.on("request", (request, response) => (instead[request.url ?? ""]?.(serve) ?? serve)(request, response));
  return {
    issuer,
    accounts,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The most redirects and pages until the browser must be back. */
const MAX_STEPS = 20;

/** A browser as far as signing in needs one: it keeps cookies by host, and follows redirects one by one. */
export class Browser {
  readonly #cookies = new Map<string, Map<string, string>>();

  cookies(url: string): string {
    return [...(this.#cookies.get(new URL(url).host) ?? [])].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  async visit(url: string, init: RequestInit = {}): Promise<Response> {
    const response = await fetch(url, { ...init, redirect: "manual", headers: { Cookie: this.cookies(url), ...init.headers } });
    const { host } = new URL(url);
    const jar = this.#cookies.get(host) ?? new Map<string, string>();
    this.#cookies.set(host, jar);
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "") jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  }

  /** Goes where a response sends it, and signs in and consents at the provider's pages, until it comes back to `host`. */
  async signInAt(start: Response, login: string, host: string): Promise<string> {
    let url = start.headers.get("Location") ?? "";
    let page = "";
    for (let steps = 0; new URL(url).host !== host; steps += 1) {
      if (steps === MAX_STEPS) throw new Error(`The provider does not send the browser back: ${page}`);
      const response = await this.visit(url);
      const location = response.headers.get("Location");
      if (location !== null) {
        url = new URL(location, url).href;
        continue;
      }
      page = await response.text();
      const [, action = ""] = /<form[^>]*action="([^"]+)"/.exec(page) ?? [];
      const prompt: Record<string, string> = page.includes('name="login"')
        ? { prompt: "login", login, password: "any" }
        : { prompt: "consent" };
      const answered = await this.visit(new URL(action, url).href, { method: "POST", body: new URLSearchParams(prompt) });
      url = new URL(answered.headers.get("Location") ?? "", url).href;
    }
    return url;
  }
}
