import { ADMIN_COMMAND } from "../common/commands.ts";
import { welcomeLink } from "../tokens/welcome-link.ts";

export type Start = {
  /** The URL that the server listens at. */
  url: string;
  /** GATEHOUSE_PUBLIC_URL, which the links begin with if it is set. */
  publicUrl: string | undefined;
  /** The console key, if this start created it. */
  newKey: string | undefined;
  /** Whether GATEHOUSE_CONSOLE_KEY is set and is an active key of this server. */
  givenKey: "absent" | "opens" | "unknown";
  /** The token for the first administrator. Undefined once an administrator exists. */
  adminToken: string | undefined;
};

/** Where to find the secrets that a message leaves out: in a file, or by commands. */
export type Elsewhere = { place: "file"; file: string } | { place: "commands" };

/**
 * The message after a start. It shows a key only if this start created it, and a token only until the instance has an administrator.
 * @param elsewhere leaves out both
 */
export function welcome({ url, publicUrl, newKey, givenKey, adminToken }: Start, elsewhere?: Elsewhere): string {
  const hasKey = newKey !== undefined && givenKey === "absent";
  const isShown = hasKey && elsewhere === undefined;
  const key = isShown ? newKey : givenKey === "opens" ? "$GATEHOUSE_CONSOLE_KEY" : "<your console key>";
  const baseUrl = publicUrl ?? openable(url);
  return [
    "",
    `  Gatehouse is ready at ${url}`,
    "",
    ...(adminToken !== undefined && elsewhere === undefined ? offer(baseUrl, adminToken) : []),
    ...(elsewhere === undefined ? [] : pointTo(elsewhere, { hasKey, hasToken: adminToken !== undefined })),
    `  Documentation       ${baseUrl}/docs`,
    ...(isShown ? [`  Console key         ${newKey}   (shown this once: keep it)`] : []),
    ...(givenKey === "unknown"
      ? ["  GATEHOUSE_CONSOLE_KEY is ignored: it applies at the first start only, and is not an active key of this database."]
      : []),
    "",
    `  curl -H "SERVICE-API-KEY: ${key}" ${baseUrl}/console/v1/gates`,
    "",
    "",
  ].join("\n");
}

/** Explains how to get the secrets if standard output may be collected as a log, because it is not a terminal. */
function pointTo(elsewhere: Elsewhere, { hasKey, hasToken }: { hasKey: boolean; hasToken: boolean }): string[] {
  const items = [...(hasKey ? ["a console key"] : []), ...(hasToken ? ["the link that makes the first administrator"] : [])].join(" and ");
  if (elsewhere.place === "file") return [`  ${elsewhere.file} has ${items}. Keep them, and delete the file.`, ""];
  return [
    ...(hasToken ? ["  This server has no administrator yet. This command prints a link that makes the first administrator:"] : []),
    ...(hasToken ? ["", `  ${ADMIN_COMMAND} people administrator`, ""] : []),
    ...(hasKey ? ["  This command creates a console key:", "", `  ${ADMIN_COMMAND} keys create`, ""] : []),
  ];
}

function offer(baseUrl: string, token: string): string[] {
  return [
    "  This server has no administrator yet. Open this link to become its administrator. It works once, within 72 hours:",
    "",
    `  ${welcomeLink(baseUrl, token)}`,
    "",
  ];
}

/** A server that listens on every address is opened by a name that browsers know. */
function openable(url: string): string {
  return url.replace(/\/\/(0\.0\.0\.0|\[::\]):/, "//localhost:");
}
