/** A path as the log may have it: a key in it shows its prefix alone. */
export function loggablePath(path: string): string {
  return path.replaceAll(/\b(console|secret|client)-[\w-]{16,}/g, "$1-…");
}
