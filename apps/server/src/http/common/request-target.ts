import type { RequestHandler } from "express";

/**
 * The path and query of a request's target. Proxies may send the whole URL (RFC 9112, section 3.2.2), and some clients a fragment. Both are
 * removed, since routers and validators would interpret them differently.
 */
function originForm(target: string): string {
  if (target.startsWith("/") && !target.includes("#")) return target;
  const [address = ""] = target.split("#", 1);
  const path = address.replace(/^https?:\/\/[^/?]*/i, "");
  return path.startsWith("?") || path === "" ? `/${path}` : path;
}

/**
 * Reads the target of a request below the base path, in origin form. A proxy may pass the base path on or remove it, and probes do without, so
 * other targets are left as they are.
 */
export function readTarget(basePath: string): (target: string) => string {
  if (basePath === "") return originForm;
  const prefix = `${basePath}/`;
  return (given) => {
    const target = originForm(given);
    return target.startsWith(prefix) ? target.slice(basePath.length) : target;
  };
}

/** Redirects from the base path to the console's start, which is at the slash after it. */
export function redirectFromBasePath(basePath: string): RequestHandler {
  return ({ method, path, url }, response, next) => {
    if (path !== basePath || !["GET", "HEAD"].includes(method)) return next();
    response.redirect(301, `${basePath}/${url.slice(basePath.length)}`);
  };
}
