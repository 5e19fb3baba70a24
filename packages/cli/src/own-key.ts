import { ConsoleApiError, type ConsoleClient, pages, type Schema } from "@gatehouse/client";

export type OwnKey = Pick<Schema<"Key">, "description" | "role" | "scopes" | "environments" | "expiresTime">;

/** The prefix and the last four characters of a key, as the server's lists show it. */
export const hintOf = (key: string): string => `${key.slice(0, key.indexOf("-") + 1)}…${key.slice(-4)}`;

/** The settings of a key. Undefined if the key may not read keys, or another one has the same hint. */
export async function readOwnKey(client: ConsoleClient, key: string): Promise<OwnKey | undefined> {
  const found: OwnKey[] = [];
  try {
    for await (const { hint, type, description, role, scopes, environments, expiresTime } of pages(client.listKeys, {
      query: { status: ["active"] },
    }))
      if (hint === hintOf(key) && type === "CONSOLE") found.push({ description, role, scopes, environments, expiresTime });
  } catch (error) {
    if (error instanceof ConsoleApiError && error.status === 403) return undefined;
    throw error;
  }
  return found.length === 1 ? found[0] : undefined;
}

/** Lines about a key, one for each property that it has. */
export function describeKey({ description, role, scopes, environments, expiresTime }: OwnKey): string[] {
  return [
    ...(description ? [`Description: ${description}`] : []),
    ...(role === null ? [] : [`Role: ${role}`]),
    `Scopes: ${scopes.join(", ")}`,
    ...(environments.length === 0 ? [] : [`Environments: ${environments.join(", ")}`]),
    ...(expiresTime === null ? [] : [`Expires: ${new Date(expiresTime).toISOString()}`]),
  ];
}
