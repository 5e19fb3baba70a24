import type { WritableSchema } from "@gatehouse/contract/console";
import type { TestServer } from "./server.ts";

type AutotuneCreate = WritableSchema<"AutotuneCreate">;

/** The settings that a creation needs beside a name, with the variants `blue` and `green`. */
export const SETTINGS = {
  variants: [
    { id: "blue", name: "Blue", json: { color: "blue" } },
    { id: "green", name: "Green", json: { color: "green" } },
  ],
  successEvent: "purchase",
  explorationWindow: "24hr",
  attributionWindow: "1hr",
  winnerThreshold: "95%",
} satisfies Omit<AutotuneCreate, "name">;

export const createAutotune = async ({ client }: TestServer, name: string, given: Partial<AutotuneCreate> = {}) =>
  (await client.createAutotune({ body: { ...SETTINGS, ...given, name } })).data;

/** An autotune that has started. */
export async function startedAutotune(server: TestServer, name: string, given: Partial<AutotuneCreate> = {}) {
  const { id } = await createAutotune(server, name, given);
  await server.client.startAutotune({ path: { id } });
  return (await server.client.getAutotune({ path: { id } })).data;
}
