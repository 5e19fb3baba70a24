import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientError,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  fetchUserInfo,
  ResponseBodyError,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from "openid-client";
import { AppError, unauthorized } from "../common/errors.ts";

/** The OpenID Connect provider of a server, and whom it may admit. */
export type OidcConfig = {
  issuer: string;
  clientID: string;
  clientSecret: string;
  /** Domains of e-mail addresses, in lower case. People with other addresses are not admitted. */
  allowedDomains: string[];
  /** The claim that decides the role. Undefined if the provider has no say in it. */
  roleClaim: string | undefined;
  /** The role in the default project for each value of the claim. `administrator` makes an administrator of the instance. */
  roles: [value: string, role: string][];
};

/** What a sign-in needs to be finished in the browser where it began. */
export type SignInState = { state: string; nonce: string; verifier: string };

/** Whom the provider names. `email` is null if it does not say that the address is verified; it is in lower case. */
export type Identity = {
  issuer: string;
  subject: string;
  email: string | null;
  firstName: string;
  lastName: string;
  /** The values of the claim that decides the role. */
  roles: string[];
};

export type Provider = {
  config: OidcConfig;
  /** Begins a sign-in. @returns where the browser goes, and what it must bring back. @throws AppError unavailable */
  begin(): Promise<{ url: URL; state: SignInState }>;
  /** Finishes it. @param url at which the browser came back. @throws AppError unauthorized, unavailable */
  finish(url: URL, state: SignInState): Promise<Identity>;
};

/** How long the provider may take to answer, s. */
const TIMEOUT_S = 10;
const MAX_NAME_LENGTH = 200;

/** The authorization code flow with PKCE, state and nonce. @param redirectUri at which the browser comes back */
export function createProvider(config: OidcConfig, redirectUri: string): Provider {
  let discovering: Promise<Configuration> | undefined;

  /** Asks the provider once, and again if it did not answer. */
  function discovered(): Promise<Configuration> {
    const { issuer, clientID, clientSecret } = config;
    const execute = issuer.startsWith("http:") ? [allowInsecureRequests] : [];
    discovering ??= discovery(new URL(issuer), clientID, clientSecret, undefined, { execute, timeout: TIMEOUT_S }).catch(
      (error: unknown) => {
        discovering = undefined;
        throw away(error);
      },
    );
    return discovering;
  }

  return {
    config,

    async begin() {
      const provider = await discovered();
      const state = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
      const challenge = { code_challenge: await calculatePKCECodeChallenge(state.verifier), code_challenge_method: "S256" };
      const asked = { redirect_uri: redirectUri, scope: "openid email profile", state: state.state, nonce: state.nonce };
      return { url: buildAuthorizationUrl(provider, { ...asked, ...challenge }), state };
    },

    async finish(url, { state, nonce, verifier }) {
      const provider = await discovered();
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
      const tokens = await authorizationCodeGrant(provider, url, checks).catch((error: unknown) => {
        throw toRefusal(error);
      });
      const claims = tokens.claims();
      if (!claims) throw refused(new Error("The provider sent no ID token."));
      // Many providers have the address in their user info alone.
      const info = provider.serverMetadata().userinfo_endpoint
        ? await fetchUserInfo(provider, tokens.access_token, claims.sub).catch((error: unknown) => {
            throw toRefusal(error);
          })
        : {};
      return toIdentity({ ...claims, ...info }, config);
    },
  };
}

type Claims = Record<string, unknown> & { iss: string; sub: string };

function toIdentity(claims: Claims, { issuer, roleClaim }: OidcConfig): Identity {
  const text = (name: string) => (typeof claims[name] === "string" ? (claims[name] as string).trim().slice(0, MAX_NAME_LENGTH) : "");
  const [first = "", ...rest] = text("name").split(/\s+/u);
  const given = roleClaim === undefined ? [] : [claims[roleClaim]].flat();
  return {
    issuer,
    subject: claims.sub,
    email: claims.email_verified === true && text("email") !== "" ? text("email").toLowerCase() : null,
    firstName: text("given_name") || first,
    lastName: text("family_name") || rest.join(" "),
    roles: given.filter((value) => typeof value === "string"),
  };
}

function toRefusal(error: unknown): AppError {
  const isRefusal = error instanceof AuthorizationResponseError || error instanceof ResponseBodyError || error instanceof ClientError;
  return isRefusal && !isTimeout(error) ? refused(error) : away(error);
}

function isTimeout({ code }: { code?: unknown }): boolean {
  return code === "OAUTH_TIMEOUT" || code === "OAUTH_ABORT";
}

function refused(cause: unknown): AppError {
  return Object.assign(unauthorized("The provider did not sign you in, or this sign-in was used before. Sign in again."), { cause });
}

function away(cause: unknown): AppError {
  return new AppError("unavailable", "The provider cannot be reached. Try again shortly.", undefined, { cause });
}
