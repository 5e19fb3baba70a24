import { createConsoleClient, type Schema } from "@gatehouse/client";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeOtherProject } from "../support/other-project.ts";
import { refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

let count = 0;
let id = "";
beforeEach(() => {
  count += 1;
  id = `prompt_${count}`;
});

const version = (name: string, content = name) => ({ name, description: "", prompts: [{ role: "user", content }], model: "small" });
const [SHORT, LONG, POLITE] = [version("Short"), version("Long"), version("Polite")];
const apply = async (prompt: object, client = server.client) =>
  (await client.applyProject({ body: { configuration: { prompts: [{ id, name: id, ...prompt }] } } })).data.flatMap(
    ({ requests }) => requests,
  );
const exported = async (client = server.client) => {
  const { data } = await client.exportProject({ query: { kinds: ["prompts"], ids: [id] } });
  return data.prompts?.[0];
};
const stored = async () => (await server.client.getPrompt({ path: { id } })).data;
const nameOf = ({ versions = [], liveVersionID }: Schema<"Prompt">) => versions.find((one) => one.id === liveVersionID)?.name;

describe("the versions of a prompt in a configuration", () => {
  test("are created with the prompt, in their order, and one of them is live", async () => {
    expect(await apply({ versions: [SHORT, LONG], liveVersion: "Long" })).toEqual([
      "createPrompt",
      "createPromptVersion",
      "createPromptVersion",
    ]);
    expect(nameOf(await stored())).toBe("Long");
    expect(await exported()).toMatchObject({ versions: [SHORT, LONG], liveVersion: "Long" });
    expect(await apply({ versions: [LONG, SHORT], liveVersion: "Long" })).toEqual([]);
  });

  test("are the same in another project, for applications too", async () => {
    const body = { ...SHORT, temperature: 0.2, workflow_body: { type: "JSON" as const, value: '{"a":1}' } };
    await apply({ versions: [body, LONG], liveVersion: "Short" });
    const key = await makeOtherProject(server, `to_${id}`);
    const client = createConsoleClient({ baseUrl: server.url, apiKey: key, retry: { attempts: 1 } });
    await apply((await exported()) as object, client);
    expect(JSON.stringify(await exported(client))).toBe(JSON.stringify(await exported()));
    const [from, to] = [await promptOf(server.key), await promptOf(key)];
    expect(from).toEqual([
      { ...from[0], name: "Short", temperature: 0.2, type: "Live" },
      expect.objectContaining({ name: "Long", type: "Candidate" }),
    ]);
    expect(to).toEqual(from);
  });

  test("are added, deleted and made live, even when the live version is replaced", async () => {
    await apply({ versions: [SHORT, LONG], liveVersion: "Long" });
    expect(await apply({ versions: [LONG, SHORT], liveVersion: "Short" })).toEqual(["patchPrompt"]);
    expect(await apply({ description: "New.", versions: [POLITE], liveVersion: "Polite" })).toEqual([
      ...["patchPrompt", "deletePromptVersion", "deletePromptVersion", "createPromptVersion"],
    ]);
    expect(await exported()).toMatchObject({ description: "New.", versions: [POLITE], liveVersion: "Polite" });
    expect(await apply({ versions: [POLITE] })).toEqual(["patchPrompt"]);
    expect((await stored()).liveVersionID).toBeNull();
    expect(await apply({ versions: [] })).toEqual(["deletePromptVersion"]);
    expect(await exported()).toMatchObject({ versions: [] });
  });

  test("stay as they are if a file leaves them out, and it can still say which one is live", async () => {
    await apply({ versions: [SHORT, LONG], liveVersion: "Long" });
    expect(await apply({ description: "New." })).toEqual(["patchPrompt"]);
    expect(nameOf(await stored())).toBe("Long");
    expect(await apply({ liveVersion: "Short" })).toEqual(["patchPrompt"]);
    expect(await apply({ liveVersion: null })).toEqual(["patchPrompt"]);
    expect([nameOf(await stored()), (await stored()).versions?.length]).toEqual([undefined, 2]);
  });

  test("can all be replaced when there are 50", async () => {
    const fifty = (text: string) => Array.from({ length: 50 }, (_, index) => version(`${text} ${index}`));
    await apply({ versions: fifty("Old"), liveVersion: "Old 49" });
    await apply({ versions: fifty("New"), liveVersion: "New 49" });
    expect([nameOf(await stored()), (await stored()).versions?.length]).toEqual(["New 49", 50]);
  });

  test.each<[string, object, string, string]>([
    [
      "that changes",
      { versions: [{ ...SHORT, model: "large" }] },
      ".versions[0]",
      "cannot be changed. Add a new version with a name other than",
    ],
    ["with an unknown field", { versions: [SHORT, { ...LONG, color: 1 }] }, ".versions[1].color", "is unknown"],
    ["without a name", { versions: [{ model: "small" }] }, ".versions[0].name", "is required"],
    ["that is none", { versions: [null] }, ".versions[0].name", "is required"],
    ["that is there twice", { versions: [SHORT, SHORT] }, ".versions[1].name", "is the same as that of an earlier version: Short"],
    [
      "that is live itself",
      { versions: [{ ...SHORT, isLive: true }] },
      ".versions[0].isLive",
      "Set liveVersion to the name of the version",
    ],
    ["that is live by its ID", { liveVersionID: "x" }, ".liveVersionID", "Set liveVersion to the name of the version"],
    [
      "that is live and missing",
      { versions: [SHORT], liveVersion: "Long" },
      ".liveVersion",
      "is not the name of a version of the prompt: Long",
    ],
    ["that is live and not stored", { liveVersion: "Long" }, ".liveVersion", "is not the name of a version of the prompt: Long"],
    ["whose name is no text", { liveVersion: 1 }, ".liveVersion", "must be the name of a version, or null"],
    ["that is no list", { versions: {} }, ".versions", "must be array"],
  ])("are refused with one %s", async (_, prompt, place, message) => {
    await apply({ versions: [SHORT], liveVersion: "Short" });
    const before = await stored();
    expect((await refusal(apply(prompt))).errors).toEqual([
      { property: `configuration.prompts[0]${place}`, errorMessage: expect.stringContaining(message) },
    ]);
    expect(await stored()).toEqual(before);
  });

  test.each<[string, object, object]>([
    [
      "a live version without versions",
      { liveVersion: "Short" },
      { property: "configuration.prompts[0].liveVersion", errorMessage: "is not the name of a version of the prompt: Short" },
    ],
  ])("are refused for a new prompt with %s", async (_, prompt, error) => {
    expect((await refusal(apply(prompt))).errors).toEqual([error]);
    expect((await refusal(stored())).status).toBe(404);
  });
});

/** The versions of the prompt as SDKs for servers read them, without the IDs that differ between projects. */
async function promptOf(consoleKey: string): Promise<{ [field: string]: unknown }[]> {
  const client = createConsoleClient({ baseUrl: server.url, apiKey: consoleKey, retry: { attempts: 1 } });
  const { data: key } = await client.createKey({ body: { description: "SDK", type: "SERVER" } });
  const { body } = await server.send("GET", `/v2/download_config_specs/${key.key}.json`, { key: key.key });
  const specs = Object.values(body.dynamic_configs as { [name: string]: { defaultValue: { aiConfigName?: string } } });
  return specs.map(({ defaultValue }) => defaultValue).filter(({ aiConfigName }) => aiConfigName === id);
}
