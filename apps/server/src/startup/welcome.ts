import { welcomeLink } from "../tokens/welcome-link.ts";

type Start = {
  /** Where the server listens. */
  url: string;
  /** GATEHOUSE_PUBLIC_URL, which the links begin with if it is set. */
  publicUrl: string | undefined;
  /** The console key, if this start created it. */
  newKey: string | undefined;
  /** Whether GATEHOUSE_CONSOLE_KEY is set and is an active key of this server. */
  givenKey: "absent" | "opens" | "unknown";
  /** The token that makes the first administrator, as long as there is none. */
  adminToken: string | undefined;
};

/** The message after a start. It shows a key only if this start created it, and a token only if nobody administers the instance. */
export function welcome({ url, publicUrl, newKey, givenKey, adminToken }: Start): string {
  const isShown = newKey !== undefined && givenKey === "absent";
  const key = isShown ? newKey : givenKey === "opens" ? "$GATEHOUSE_CONSOLE_KEY" : "<your console key>";
  const origin = publicUrl ?? openable(url);
  return [
    "",
    `  Gatehouse is ready at ${url}`,
    "",
    ...(adminToken === undefined ? [] : offer(origin, adminToken)),
    `  Documentation       ${origin}/docs`,
    ...(isShown ? [`  Console key         ${newKey}   (shown this once: keep it)`] : []),
    ...(givenKey === "unknown"
      ? ["  GATEHOUSE_CONSOLE_KEY is not used: it counts at the first start, and is no active key of this database."]
      : []),
    "",
    `  curl -H "SERVICE-API-KEY: ${key}" ${origin}/console/v1/gates`,
    "",
    "",
  ].join("\n");
}

function offer(origin: string, token: string): string[] {
  return [
    "  Nobody administers this server yet. Open this link to become its administrator. It works once, within 72 hours:",
    "",
    `  ${welcomeLink(origin, token)}`,
    "",
  ];
}

/** A server that listens on every address is opened by a name that browsers know. */
function openable(url: string): string {
  return url.replace(/\/\/(0\.0\.0\.0|\[::\]):/, "//localhost:");
}
