const KEY = /\b(console|secret|client)-[\w-]{16,}/g;

/** A path as the log may have it: a key in it, as it is or percent-encoded, shows its prefix alone. */
export function loggablePath(path: string): string {
  const decoded = path.replaceAll(/%([2-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  const redacted = decoded.replaceAll(KEY, "$1-…");
  return redacted === decoded ? path : redacted;
}
