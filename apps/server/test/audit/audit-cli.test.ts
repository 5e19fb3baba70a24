import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openEmbedded, openPostgres } from "../../src/store/database/database.ts";
import { isPooled, onPostgres } from "../support/database.ts";
import { createEmptyPostgres } from "../support/empty-database.ts";
import { start, startReady, temporaryFolder } from "../support/process.ts";

const KEY = "console-0123456789abcdef";
const AUDIT_KEY = "0123456789abcdef0123456789abcdef";
/** For several consecutive processes on a busy machine, ms. */
const timeout = 600_000;

describe("gatehouse audit", () => {
  const folder = temporaryFolder();
  let env: Record<string, string>;
  beforeAll(async () => {
    env = onPostgres ? { DATABASE_URL: await createEmptyPostgres() } : { GATEHOUSE_DATA_DIR: folder.path };
    const server = await startReady({ ...env, GATEHOUSE_AUDIT_KEY: AUDIT_KEY, GATEHOUSE_CONSOLE_KEY: KEY });
    const headers = { "SERVICE-API-KEY": KEY, "Content-Type": "application/json" };
    const body = JSON.stringify({ name: "audited" });
    expect((await fetch(`${server.url}/console/v1/tags`, { method: "POST", headers, body })).status).toBe(200);
    await server.stop();
  }, timeout);
  afterAll(() => folder.remove());

  const audit = (args: string[], key = AUDIT_KEY) =>
    start("cli/main.js", { ...env, ...(key && { GATEHOUSE_AUDIT_KEY: key }) }, ["audit", ...args]).ended;

  async function sql(text: string): Promise<void> {
    const database = onPostgres ? openPostgres(env.DATABASE_URL as string, { isPooled }) : await openEmbedded(folder.path);
    await database.withSession(({ script }) => script(text));
    await database.close();
  }

  test("verify finds nothing in an untouched audit log, names an altered entry, and compares with what head printed", {
    timeout,
  }, async () => {
    const head = await audit(["head"]);
    expect([head.code, head.stderr]).toEqual([0, ""]);
    const [line = "", seq, seal] = head.stdout.match(/^default (\d+) ([\w-]{43})$/m) ?? [];
    const untouched = await audit(["verify", "--anchor", line]);
    expect(untouched).toEqual({
      code: 0,
      stdout: "",
      stderr: expect.stringMatching(
        new RegExp(
          `^Project default: ${seq} entries compared with their seals, \\d+ of them from before there was a key; retention dropped 0\\.\n`,
        ),
      ),
    });

    await sql(`update change set "actorName" = 'Nobody' where "operationID" = 'createTag'`);
    const altered = await audit(["verify"]);
    expect([altered.code, altered.stdout]).toEqual([1, expect.stringMatching(/^default \d+ was altered: createTag of tag \w+\n$/)]);

    const cut = await audit(["verify", "--anchor", `default ${Number(seq) + 5} ${seal}`]);
    expect([cut.code, cut.stdout]).toEqual([1, expect.stringContaining(`default ${Number(seq) + 5} was removed: the anchor has it`)]);
  });

  test("refuses another key, a missing key and an invalid anchor", { timeout }, async () => {
    const other = "another key of 32 characters and more";
    const messages = [await audit(["verify"], other), await audit(["head"], ""), await audit(["verify", "--anchor", "default 3"])];
    expect(messages.map(({ code, stdout }) => [code, stdout])).toEqual([
      [1, ""],
      [1, ""],
      [1, ""],
    ]);
    expect(messages.map(({ stderr }) => stderr.trimEnd().split("\n").at(-1))).toEqual([
      "The audit log was sealed with another GATEHOUSE_AUDIT_KEY, or its row of the table sealing was changed.",
      "GATEHOUSE_AUDIT_KEY is not set. Without the key that sealed the audit log, nothing can be verified.",
      "An anchor is a line that audit head printed: PROJECT NUMBER SEAL.",
    ]);
  });

  test("warns when a sealed audit log is changed without the key", { timeout }, async () => {
    const { code, stderr } = await start("cli/main.js", env, ["keys", "list"]).ended;
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^The audit log is sealed, and GATEHOUSE_AUDIT_KEY is not set: .*\n$/)]);
  });

  test.each([[["audit"]], [["audit", "verify", "now"]], [["audit", "head", "--anchor", "x"]], [["keys", "create", "--anchor", "x"]]])(
    "%j is answered with the usage",
    async (args) => {
      const { code, stdout, stderr } = await start("cli/main.js", {}, args).ended;
      expect([code, stdout, stderr]).toEqual([1, "", expect.stringContaining(`Unknown command: ${args.join(" ")}.\n\nUsage:`)]);
    },
  );
});
