import { makeFixture } from "./fixtures.ts";
import { fill, type SweptOperation } from "./operations.ts";
import type { TestServer } from "./server.ts";

let count = 0;

/** Makes what an operation addresses, under a name where one is given, and answers how to send the contract's own example to it. */
export async function prepare(server: TestServer, { method, path, example, statuses }: SweptOperation, name?: string) {
  const fixture = await makeFixture(server, path, name);
  count += 1;
  // What is made gets another name than the one that an earlier test has taken.
  const isChanged = Object.keys(fixture?.parameters ?? {}).length > 0 && statuses.includes("412");
  const body = example && "name" in example && !isChanged ? { ...example, name: `sent ${count}` } : example;
  const url = fill(path, fixture?.parameters ?? {});
  return {
    fixture,
    send: (headers: Record<string, string> = {}, query = "") => server.send(method, `${url}${query}`, { body, headers }),
  };
}
