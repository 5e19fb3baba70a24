import type { WritableSchema } from "@gatehouse/client";
import type { TestServer } from "./server.ts";

/** Makes a key through the API; answers it with the key itself. */
export async function makeKey({ client }: Pick<TestServer, "client">, given: Partial<WritableSchema<"KeyCreate">> = {}) {
  const { data } = await client.createKey({ body: { type: "SERVER", description: "", ...given } });
  if (data.key === null) throw new Error("A new key was expected to be shown.");
  return { ...data, key: data.key };
}

/** What a key is refused with that lacks a type or a scope. */
export function insufficient(needs: string) {
  return { status: 403, code: "forbidden", message: `Insufficient permissions. This requires ${needs}.` };
}
