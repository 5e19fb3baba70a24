import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientError,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  calculatePKCECodeChallenge,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  ResponseBodyError,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  WWWAuthenticateChallengeError,
} from "openid-client";
import { AppError } from "../common/errors.ts";
import { type ClaimPath, type Identity, toIdentity } from "./identity.ts";
import type { RoleMapping } from "./role-mapping.ts";
import { away, refused, WRONG_CLIENT } from "./sign-in-failures.ts";

/** The OpenID Connect provider of a server, and the people that it may admit. */
export type OidcConfig = {
  issuer: string;
  clientID: string;
  clientSecret: string;
  scopes: string[];
  /** Domains of email addresses, in lower case. People with other addresses are not admitted. */
  allowedDomains: string[];
  /** Whether addresses of this issuer count without `email_verified`. */
  trustsEmails: boolean;
  /** The claim that decides the role. Undefined if the provider has no say in it. */
  roleClaim: ClaimPath | undefined;
  /** The role in the default project for each value of the claim. `administrator` makes a server administrator. */
  roles: RoleMapping;
};

/** The state for finishing a sign-in in the browser where it began. */
export type SignInState = { state: string; nonce: string; verifier: string };

export type Provider = {
  config: OidcConfig;
  /** Begins a sign-in. @returns the URL for the browser, and the state that it must return. @throws AppError unavailable */
  begin(): Promise<{ url: URL; state: SignInState }>;
  /** Finishes it. @param url at which the browser came back. @throws AppError unauthorized, unavailable */
  finish(url: URL, state: SignInState): Promise<Identity>;
};

/** How long the provider may take to answer, s. */
const TIMEOUT_S = 10;
/** Bounded, since it is a key in the database. */
const SUBJECT_PATTERN = /^\P{C}{1,1000}$/u;

/** The authorization code flow with PKCE, state and nonce. @param redirectUri at which the browser comes back */
export function createProvider(config: OidcConfig, redirectUri: string): Provider {
  let discovering: Promise<Configuration[]> | undefined;

  /**
   * Asks the provider for its metadata once, and again after a failure.
   *
   * @returns the client with each of the provider's methods of authentication, beginning with the one to try first
   */
  function discovered(): Promise<Configuration[]> {
    discovering ??= discover(config).catch((error: unknown) => {
      discovering = undefined;
      throw away(error);
    });
    return discovering;
  }

  /**
   * Redeems the code. A provider may support more methods of authentication than it allows this client, so the next one is tried, and the
   * next sign-in begins with the one that worked.
   */
  async function redeem(url: URL, { state, nonce, verifier }: SignInState) {
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
    const clients = await discovered();
    let failure: unknown;
    for (const client of clients) {
      try {
        const tokens = await authorizationCodeGrant(client, url, checks);
        discovering = Promise.resolve([client, ...clients.filter((other) => other !== client)]);
        return { client, tokens };
      } catch (error) {
        if (!isOfClient(error)) throw error;
        failure = error;
      }
    }
    throw refused(failure, WRONG_CLIENT);
  }

  return {
    config,

    async begin() {
      const [client] = (await discovered()) as [Configuration];
      const state = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
      const challenge = { code_challenge: await calculatePKCECodeChallenge(state.verifier), code_challenge_method: "S256" };
      const asked = { redirect_uri: redirectUri, scope: config.scopes.join(" "), state: state.state, nonce: state.nonce };
      return { url: buildAuthorizationUrl(client, { ...asked, ...challenge }), state };
    },

    async finish(url, state) {
      try {
        const { client, tokens } = await redeem(url, state);
        const claims = tokens.claims();
        if (!claims || !SUBJECT_PATTERN.test(claims.sub)) throw new ClientError("The provider sent no ID token with a valid subject.");
        // Many providers have the address in their user info alone.
        const hasInfo = client.serverMetadata().userinfo_endpoint !== undefined;
        const info = hasInfo ? await fetchUserInfo(client, tokens.access_token, claims.sub) : {};
        const trustsEmails = config.trustsEmails && isSameUrl(claims.iss, config.issuer);
        return toIdentity(claims, info, { trustsEmails, roleClaim: config.roleClaim });
      } catch (error) {
        throw toFailure(error);
      }
    },
  };
}

/** Signatures of ID tokens are verified with the keys of the provider, which are fetched again when it has a new one. */
async function discover({ issuer, clientID, clientSecret, trustsEmails }: OidcConfig): Promise<Configuration[]> {
  const extensions = [enableNonRepudiationChecks, ...(issuer.startsWith("http:") ? [allowInsecureRequests] : [])];
  const found = await discovery(new URL(issuer), clientID, undefined, undefined, { execute: extensions, timeout: TIMEOUT_S });
  const server = found.serverMetadata();
  if (trustsEmails && !isSameUrl(server.issuer, issuer)) throw new Error(`The provider's metadata names another issuer: ${server.issuer}`);
  return authenticationMethods(server.token_endpoint_auth_methods_supported).map((toAuthentication) => {
    const client = new Configuration(server, clientID, undefined, toAuthentication(clientSecret));
    client.timeout = TIMEOUT_S;
    for (const extend of extensions) extend(client);
    return client;
  });
}

/** Providers support `client_secret_basic` if they don't list their methods. */
function authenticationMethods(supported: string[] | undefined) {
  if (!supported?.includes("client_secret_post")) return [ClientSecretBasic];
  return supported.includes("client_secret_basic") ? [ClientSecretPost, ClientSecretBasic] : [ClientSecretPost];
}

function isSameUrl(one: string, other: string): boolean {
  return URL.canParse(one) && new URL(one).href === new URL(other).href;
}

/** Whether the provider rejected how the server says which client it is. */
function isOfClient(error: unknown): boolean {
  return error instanceof WWWAuthenticateChallengeError || (error instanceof ResponseBodyError && error.error === "invalid_client");
}

const REFUSALS = [AuthorizationResponseError, ResponseBodyError, ClientError, WWWAuthenticateChallengeError];

function toFailure(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const isRefusal = REFUSALS.some((kind) => error instanceof kind) && !isTimeout(error as { code?: unknown });
  return isRefusal ? refused(error) : away(error);
}

function isTimeout({ code }: { code?: unknown }): boolean {
  return code === "OAUTH_TIMEOUT" || code === "OAUTH_ABORT";
}
