/** The page on which a person redeems a one-time token. Browsers send the fragment to no server, so that no log has the token. */
export function welcomeLink(baseUrl: string, token: string): string {
  return `${baseUrl}/welcome#${token}`;
}
