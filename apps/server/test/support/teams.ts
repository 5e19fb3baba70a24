import type { TestServer } from "./server.ts";

let count = 0;

/** Creates a team through the API. @returns its id */
export async function makeTeam({ client }: Pick<TestServer, "client">): Promise<string> {
  count += 1;
  return (await client.createTeam({ body: { name: `Team ${count}` } })).data.id;
}
