/** The first segments of paths that are not pages: those of the APIs, the documentation, the probes and the console's files. */
export const RESERVED_SEGMENTS: ReadonlySet<string> = new Set([
  ...["console", "v1", "v2", "ofrep", "scim", "docs", "openapi", "mcp"],
  ...["metrics", "livez", "readyz", "assets", ".well-known"],
]);
