import type { IncomingMessage } from "node:http";
import { parse, serialize } from "cookie";

const NAME = "gatehouse_session";

export type SessionCookie = {
  /** The session's secret in a request. */
  read(request: IncomingMessage): string | undefined;
  /** The header `Set-Cookie` that keeps a session until it ends; with an empty secret, the one that removes it. */
  write(secret: string, maxAgeMs: number): string;
};

/** Where callers reach the server by https, browsers send the cookie by https alone, and no other host can set it. */
export function createSessionCookie(publicUrl: string | undefined): SessionCookie {
  const secure = publicUrl?.startsWith("https:") ?? false;
  const name = secure ? `__Host-${NAME}` : NAME;
  return {
    read: ({ headers: { cookie } }) => (cookie?.includes(name) ? parse(cookie)[name] || undefined : undefined),
    write: (secret, maxAgeMs) =>
      serialize(name, secret, { path: "/", httpOnly: true, sameSite: "strict", secure, maxAge: Math.max(0, Math.floor(maxAgeMs / 1000)) }),
  };
}
