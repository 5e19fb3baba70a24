/**
 * The Content-Security-Policy of a page of the console. Scripts have no nonce: all of them are files of this origin, and without one no inline
 * script runs. Styles have one, since libraries insert elements of their own.
 * @param own further directives. @param trustedTypes the names of the policies that may make markup or scripts of a text
 */
export function pagePolicy(nonce: string, own: readonly string[], trustedTypes: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self'",
    ...own,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    `trusted-types ${trustedTypes}`,
  ].join("; ");
}
