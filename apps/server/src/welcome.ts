type Start = {
  url: string;
  /** The console key, if this start made it. */
  newKey: string | undefined;
  /** Whether it came from GATEHOUSE_CONSOLE_KEY and so is known to the operator. */
  isKeyGiven: boolean;
};

/** What a start says to the person who gave it. A key is shown only where it was made. */
export function welcome({ url, newKey, isKeyGiven }: Start): string {
  const isShown = newKey !== undefined && !isKeyGiven;
  const key = isShown ? newKey : isKeyGiven ? "$GATEHOUSE_CONSOLE_KEY" : "<your console key>";
  return [
    "",
    `  Gatehouse is ready at ${url}`,
    `  Documentation       ${url}/docs`,
    ...(isShown ? [`  Console key         ${newKey}   (shown this once: keep it)`] : []),
    "",
    `  curl -H "SERVICE-API-KEY: ${key}" ${url}/console/v1/gates`,
    "",
    "",
  ].join("\n");
}
