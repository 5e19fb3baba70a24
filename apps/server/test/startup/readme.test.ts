import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { run } from "../support/process.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { waitFor } from "../support/wait-for.ts";

const readme = readFileSync(new URL("../../../../README.md", import.meta.url), "utf8");

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ now: Date.now });
});
afterAll(() => server.close());

/** The commands of a section, for the test's server instead of the README's. Omits programs that do not end. */
function commandsIn(heading: string): string[] {
  const [, section = ""] = readme.split(`\n## ${heading}\n`);
  const [text = ""] = section.split("\n## ");
  const blocks = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = ""]) => block);
  return blocks
    .filter((block) => !block.startsWith("npx"))
    .map((block) => block.replaceAll("http://127.0.0.1:4000", server.url).replace("console-…", server.key));
}

/** Pastes lines into a shell. @returns its output by line, with JSON parsed */
async function paste(lines: string[], env: Record<string, string> = {}): Promise<unknown[]> {
  const { code, stdout, stderr } = await run("bash", ["-e", "-c", lines.join("\necho\n")], env).ended;
  expect(code, stderr).toBe(0);
  const printed = stdout.split("\n").filter((line) => line !== "");
  return printed.map((line) => (line.startsWith("{") ? JSON.parse(line) : line));
}

test("the commands that create, read and flip a gate work when they are pasted", async () => {
  const [make = "", read = "", flip = "", ...others] = commandsIn("Read your flags");
  expect(others).toEqual([]);
  const [made, open, flipped, key] = await paste([make, read, flip, 'echo "$GATEHOUSE_KEY"']);
  expect(made).toMatchObject({ message: "Gate created successfully.", data: { id: "new_checkout" } });
  expect(open).toMatchObject({ key: "new_checkout", value: true, reason: "TARGETING_MATCH" });
  expect(flipped).toMatchObject({ data: { status: "Disabled" } });
  await waitFor(async () =>
    expect(await paste([read], { GATEHOUSE_KEY: String(key) })).toMatchObject([{ key: "new_checkout", value: false, reason: "DISABLED" }]),
  );
});
