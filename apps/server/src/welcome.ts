type Start = {
  url: string;
  /** The console key, if this start created it. */
  newKey: string | undefined;
  /** Whether GATEHOUSE_CONSOLE_KEY is set and is an active key of this server. */
  givenKey: "absent" | "opens" | "unknown";
  /** The token that makes the first administrator, as long as there is none. */
  adminToken: string | undefined;
};

/** The message after a start. It shows a key only if this start created it, and a token only if nobody administers the instance. */
export function welcome({ url, newKey, givenKey, adminToken }: Start): string {
  const isShown = newKey !== undefined && givenKey === "absent";
  const key = isShown ? newKey : givenKey === "opens" ? "$GATEHOUSE_CONSOLE_KEY" : "<your console key>";
  return [
    "",
    `  Gatehouse is ready at ${url}`,
    `  Documentation       ${url}/docs`,
    ...(isShown ? [`  Console key         ${newKey}   (shown this once: keep it)`] : []),
    ...(givenKey === "unknown"
      ? ["  GATEHOUSE_CONSOLE_KEY is not used: it counts at the first start, and is no active key of this database."]
      : []),
    "",
    `  curl -H "SERVICE-API-KEY: ${key}" ${url}/console/v1/gates`,
    "",
    ...(adminToken === undefined ? [] : offer(url, adminToken)),
    "",
  ].join("\n");
}

function offer(url: string, token: string): string[] {
  const body = JSON.stringify({ token, email: "you@example.com", name: "Your Name", password: "…" });
  return [
    "  Nobody administers this server yet. Send this with your own address, name and password of at least 12 characters.",
    "  It works once, within 72 hours, and signs you in:",
    "",
    `  curl -H "Content-Type: application/json" -d '${body}' ${url}/console/v1/session/redeem`,
    "",
  ];
}
