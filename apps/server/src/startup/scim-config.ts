import type { ScimConfig } from "../scim/scim-env.ts";
import { ROLES_MUST, readRoles, type Setting } from "./oidc-config.ts";

const MIN_TOKEN_LENGTH = 32;
/** Two, so that a token can be replaced without a gap. */
const MAX_TOKENS = 2;
const TOKEN_PATTERN = /^[A-Za-z0-9._~+/=-]+$/;

/** Undefined if no identity provider manages people. */
export function readScim(setting: Setting, faults: string[]): ScimConfig | undefined {
  const earlier = faults.length;
  const must = `one token, or two separated by a comma, each of at least ${MIN_TOKEN_LENGTH} letters, digits, and the characters . _ ~ + / = -`;
  const tokens = setting("GATEHOUSE_SCIM_TOKENS", undefined, readTokens, must);
  const roles = setting("GATEHOUSE_SCIM_ROLES", undefined, readRoles, ROLES_MUST);
  if (faults.length > earlier) return undefined;
  if (tokens !== undefined) return { tokens, roles };
  if (roles !== undefined) faults.push("GATEHOUSE_SCIM_ROLES needs GATEHOUSE_SCIM_TOKENS");
  return undefined;
}

function readTokens(text: string): string[] | undefined {
  const tokens = text.split(",").map((token) => token.trim());
  const isToken = (token: string) => token.length >= MIN_TOKEN_LENGTH && TOKEN_PATTERN.test(token);
  return tokens.length <= MAX_TOKENS && tokens.every(isToken) ? tokens : undefined;
}
