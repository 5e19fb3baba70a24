/**
 * The path and query of a request's target. Proxies may send the whole URL (RFC 9112, 3.2.2), and a fragment, which belongs to no target, means
 * nothing to a server: routers and validators would each read these in a way of their own.
 */
export function originForm(target: string): string {
  if (target.startsWith("/") && !target.includes("#")) return target;
  const [address = ""] = target.split("#", 1);
  const path = address.replace(/^https?:\/\/[^/?]*/i, "");
  return path.startsWith("?") || path === "" ? `/${path}` : path;
}
