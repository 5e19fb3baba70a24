import type { IncomingMessage } from "node:http";
import { parse, serialize } from "cookie";
import { basePathOf } from "../../common/base-path.ts";

const SESSION = "gatehouse_session";
const SIGN_IN = "gatehouse_sign_in";
/** How long a sign-in at a provider may take. */
const SIGN_IN_MS = 10 * 60 * 1000;

export type Cookies = {
  /** The session's secret in a request. */
  readSession(request: IncomingMessage): string | undefined;
  /** The header `Set-Cookie` that keeps a session until it ends; with an empty secret, the one that removes it. */
  writeSession(secret: string, maxAgeMs: number): string;
  /** The state for finishing a sign-in at a provider, as it was written. */
  readSignIn(request: IncomingMessage): unknown;
  /** The header that keeps it; with null, the one that removes it. */
  writeSignIn(state: object | null): string;
};

/**
 * Where callers reach the server by https, browsers send the cookies by https alone, and no other host can set them. With a base path, browsers
 * send them below it alone, so that servers at other paths of the host don't see them. Their names can't exclude other hosts then.
 */
export function createCookies(publicUrl: string | undefined): Cookies {
  const secure = publicUrl?.startsWith("https:") ?? false;
  const basePath = basePathOf(publicUrl);
  const prefix = !secure ? "" : basePath === "" ? "__Host-" : "__Secure-";
  const read = ({ headers: { cookie } }: IncomingMessage, name: string) =>
    cookie?.includes(name) ? parse(cookie)[`${prefix}${name}`] || undefined : undefined;
  const write = (name: string, value: string, maxAgeMs: number, sameSite: "strict" | "lax") => {
    const maxAge = Math.max(0, Math.floor(maxAgeMs / 1000));
    return serialize(`${prefix}${name}`, value, { path: basePath || "/", httpOnly: true, sameSite, secure, maxAge });
  };
  return {
    readSession: (request) => read(request, SESSION),
    writeSession: (secret, maxAgeMs) => write(SESSION, secret, maxAgeMs, "strict"),
    readSignIn: (request) => parsed(read(request, SIGN_IN)),
    // Lax: the browser comes back from another site.
    writeSignIn: (state) => write(SIGN_IN, state === null ? "" : encode(state), state === null ? 0 : SIGN_IN_MS, "lax"),
  };
}

function encode(state: object): string {
  return Buffer.from(JSON.stringify(state)).toString("base64url");
}

function parsed(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(Buffer.from(text, "base64url").toString());
  } catch {
    return undefined;
  }
}
