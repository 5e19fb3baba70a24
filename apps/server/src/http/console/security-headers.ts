import type { RequestHandler } from "express";
import helmet from "helmet";

/** Neither an API nor the console needs any of these, so injected content gets none. */
const NO_DEVICES = ["camera", "display-capture", "geolocation", "hid", "microphone", "midi", "payment", "serial", "usb"]
  .map((feature) => `${feature}=()`)
  .join(", ");

/** Responses of an API must not be framed, sniffed or executed as pages. The docs set their own policy. */
const ofPages = helmet({
  contentSecurityPolicy: { useDefaults: false, directives: { "default-src": ["'none'"], "frame-ancestors": ["'none'"] } },
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
});

export const securityHeaders: RequestHandler[] = [
  ofPages,
  (_request, response, next) => {
    response.set("Permissions-Policy", NO_DEVICES);
    next();
  },
];
