import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { run } from "../support/process.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { waitFor } from "../support/wait-for.ts";

const DOCS = fileURLToPath(new URL("../../../../docs/", import.meta.url));

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ now: Date.now });
});
afterAll(() => server.close());

/** A block of code that a reader would run, and why no test runs it. */
type Block = { page: string; code: string; skipped: string | undefined };

function readBlocks(): Block[] {
  const pages = readdirSync(DOCS, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".md"));
  return pages.flatMap((page) =>
    [...readFileSync(join(DOCS, page), "utf8").matchAll(/^```(?:sh|ts)(.*)\n([\s\S]*?)^```$/gm)].map(([, note = "", code = ""]) => ({
      ...{ page, code },
      skipped: /^ skip: (.{10,})$/.exec(note)?.[1],
    })),
  );
}

/** Pastes lines into a shell. @returns its output by line, with JSON parsed */
async function paste(lines: string[], env: Record<string, string> = {}): Promise<unknown[]> {
  const { code, stdout, stderr } = await run("bash", ["-e", "-c", lines.join("\necho\n")], env).ended;
  expect(code, stderr).toBe(0);
  const printed = stdout.split("\n").filter((line) => line !== "");
  return printed.map((line) => (line.startsWith("{") ? JSON.parse(line) : line));
}

test("the commands of the quick start create, read and turn off a gate as they are pasted", async () => {
  const blocks = readBlocks().filter(({ page, skipped }) => page === "start/quick-start.md" && skipped === undefined);
  const [make = "", key = "", read = "", disable = "", ...others] = blocks.map(({ code }) =>
    code.replaceAll("http://127.0.0.1:4000", server.url),
  );
  expect(others).toEqual([]);
  const given = { GATEHOUSE_CONSOLE_KEY: server.key };
  const [made, open, disabled, printed] = await paste([make, key, read, disable, 'echo "$GATEHOUSE_KEY"'], given);
  expect(made).toMatchObject({ message: "Gate created successfully.", data: { id: "new_checkout" } });
  expect(open).toMatchObject({ key: "new_checkout", value: true, reason: "TARGETING_MATCH" });
  expect(disabled).toMatchObject({ data: { status: "Disabled" } });
  await waitFor(async () =>
    expect(await paste([read], { GATEHOUSE_KEY: String(printed) })).toMatchObject([
      { key: "new_checkout", value: false, reason: "DISABLED" },
    ]),
  );
});

test("each command and program of the documentation is run, or says why it is not", () => {
  const run = readBlocks().filter(({ skipped }) => skipped === undefined);
  expect([...new Set(run.map(({ page }) => page))]).toEqual(["start/quick-start.md"]);
});
