import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { readBlocks } from "../support/documentation.ts";
import { closedPort } from "../support/port.ts";
import { run } from "../support/process.ts";
import { startServer } from "../support/server.ts";

const APP = fileURLToPath(new URL("../../", import.meta.url));

test("The receiver of the documentation accepts signed messages, and refuses one that is signed with another secret", async () => {
  // The receiver compares the time of messages with its clock.
  const server = await startServer({ now: Date.now });
  const port = await closedPort();
  const create = async (name: string) => {
    const { id } = (await server.client.createWebhook({ body: { name, url: `http://127.0.0.1:${port}/` } })).data;
    return { id, secret: (await server.client.getWebhookSecret({ path: { id } })).data.secret ?? "" };
  };
  const [known, other] = [await create("known"), await create("other")];
  const code = readBlocks().find(({ page, language }) => page === "automate/webhooks.md" && language === "ts")?.code ?? "";
  const contents = code.replace("8080", String(port));
  const { outputFiles } = await build({
    ...{ stdin: { contents, loader: "ts", resolveDir: APP }, bundle: true, write: false },
    ...{ format: "esm", platform: "node", packages: "external" },
  });
  const parent = join(APP, "node_modules/.snippets");
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, "receiver-"));
  const file = join(folder, "receiver.mjs");
  writeFileSync(file, outputFiles[0]?.text ?? "");
  const receiver = run(process.execPath, [file], { WEBHOOK_SECRET: known.secret });
  try {
    await receiver.prints(/ready/);
    expect((await server.client.testWebhook({ path: { id: known.id } })).data).toMatchObject({ isDelivered: true, responseStatus: 204 });
    expect((await server.client.testWebhook({ path: { id: other.id } })).data).toMatchObject({ isDelivered: false, responseStatus: 401 });
    await receiver.prints(/webhook\.test/);
  } finally {
    receiver.child.kill();
    await receiver.ended;
    rmSync(folder, { recursive: true });
    await server.close();
  }
});
