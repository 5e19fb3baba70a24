/** The headers of a request that a page of the server sends for a person who is signed in. */
export function asPerson(session: string): Record<string, string> {
  return { Cookie: `gatehouse_session=${session}`, "Sec-Fetch-Site": "same-origin" };
}
