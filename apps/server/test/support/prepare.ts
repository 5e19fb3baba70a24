import { makeFixture } from "./fixtures.ts";
import { fill, type Operation } from "./operations.ts";
import type { TestServer } from "./server.ts";

let count = 0;

/** Makes what an operation addresses, and answers how to send the contract's own example to it. */
export async function prepare(server: TestServer, { method, path, example }: Operation) {
  const fixture = await makeFixture(server, path);
  count += 1;
  const isAddressed = Object.keys(fixture?.parameters ?? {}).length > 0;
  // Another name than the one that an earlier test has taken.
  const body = example && "name" in example && !isAddressed ? { ...example, name: `sent ${count}` } : example;
  const url = fill(path, fixture?.parameters ?? {});
  return {
    fixture,
    send: (headers: Record<string, string> = {}, query = "") => server.send(method, `${url}${query}`, { body, headers }),
  };
}
