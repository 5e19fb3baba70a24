import { makeFixture } from "./fixtures.ts";
import { fill, type SweptOperation } from "./operations.ts";
import type { TestServer } from "./server.ts";

let count = 0;

/** Creates the entity that an operation addresses. @returns it, and a function that sends the contract's example */
export async function prepare(server: TestServer, { method, path, example, statuses }: SweptOperation, name?: string) {
  const fixture = await makeFixture(server, path, name);
  count += 1;
  // A new name, since an earlier test may have taken the example's.
  const isChanged = Object.keys(fixture?.parameters ?? {}).length > 0 && statuses.includes("412");
  const body = example && "name" in example && !isChanged ? { ...example, name: `sent ${count}` } : example;
  const url = fill(path, fixture?.parameters ?? {});
  return {
    fixture,
    send: (headers: Record<string, string> = {}, query = "") => server.send(method, `${url}${query}`, { body, headers }),
  };
}
