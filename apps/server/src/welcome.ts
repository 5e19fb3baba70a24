type Start = {
  url: string;
  /** The console key, if this start created it. */
  newKey: string | undefined;
  /** Whether GATEHOUSE_CONSOLE_KEY is set and is an active key of this server. */
  givenKey: "absent" | "opens" | "unknown";
};

/** The message after a start. It shows a key only if this start created it. */
export function welcome({ url, newKey, givenKey }: Start): string {
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
    "",
  ].join("\n");
}
