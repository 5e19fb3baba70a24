/**
 * The path and query of a request's target. Proxies may send the whole URL (RFC 9112, section 3.2.2), and some clients a fragment. Both are
 * removed, since routers and validators would interpret them differently.
 */
export function originForm(target: string): string {
  if (target.startsWith("/") && !target.includes("#")) return target;
  const [address = ""] = target.split("#", 1);
  const path = address.replace(/^https?:\/\/[^/?]*/i, "");
  return path.startsWith("?") || path === "" ? `/${path}` : path;
}
