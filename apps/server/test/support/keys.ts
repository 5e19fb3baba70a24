import type { WritableSchema } from "@gatehouse/client";
import type { TestServer } from "./server.ts";

/** Creates a key through the API. @returns it with its secret */
export async function makeKey({ client }: Pick<TestServer, "client">, given: Partial<WritableSchema<"KeyCreate">> = {}) {
  const { data } = await client.createKey({ body: { type: "SERVER", description: "", ...given } });
  if (data.key === null) throw new Error("A new key was expected to be shown.");
  return { ...data, key: data.key };
}

/** The error for a key of the wrong type, or without a required scope. */
export function insufficient(needs: string) {
  return { status: 403, code: "forbidden", message: `Insufficient permissions. This requires ${needs}.` };
}
