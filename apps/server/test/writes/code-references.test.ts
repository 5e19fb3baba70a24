import { afterAll, beforeAll, expect, test } from "vitest";
import { startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const reference = (entityID: string, file: string, line: number) => ({ entityType: "gate" as const, entityID, file, line });
const upload = (branch: string, references: ReturnType<typeof reference>[]) =>
  server.client.updateCodeReferences({ body: { repository: "example/shop", branch, commit: "7f0c", references } });
const placesOf = async (id: string) => {
  const { data } = await server.client.listCodeReferences({ query: { type: "gate", id } });
  return data.map(({ branch, file, line }) => `${branch} ${file}:${line}`);
};

test("an upload replaces the code references of its repository and branch, and no others", async () => {
  await upload("main", [
    reference("new_checkout", "src/b.ts", 2),
    reference("new_checkout", "src/a.ts", 10),
    reference("other", "src/a.ts", 1),
  ]);
  await upload("next", [reference("new_checkout", "src/a.ts", 11)]);
  expect(await placesOf("new_checkout")).toEqual(["main src/a.ts:10", "main src/b.ts:2", "next src/a.ts:11"]);
  const { data } = await upload("main", [reference("new_checkout", "src/a.ts", 12)]);
  expect(data).toEqual({ repository: "example/shop", branch: "main", count: 1 });
  expect(await placesOf("new_checkout")).toEqual(["main src/a.ts:12", "next src/a.ts:11"]);
  expect(await placesOf("other")).toEqual([]);
  await upload("next", []);
  expect(await placesOf("new_checkout")).toEqual(["main src/a.ts:12"]);
});

test("a reference has the commit and time of its upload, and null for what was left out", async () => {
  await upload("facts", [reference("facts", "src/a.ts", 1)]);
  expect((await server.client.listCodeReferences({ query: { id: "facts" } })).data).toEqual([
    {
      ...{ entityType: "gate", entityID: "facts", repository: "example/shop", branch: "facts", commit: "7f0c" },
      ...{ file: "src/a.ts", line: 1, text: null, url: null, uploadedTime: server.clock.now },
    },
  ]);
});
