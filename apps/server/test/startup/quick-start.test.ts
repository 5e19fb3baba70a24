import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readBlocks, readRunBlocks } from "../support/documentation.ts";
import { startReady } from "../support/process.ts";
import { openShell } from "../support/shell.ts";
import { TEST_KEY } from "../support/template-database.ts";
import { waitFor } from "../support/wait-for.ts";

/** Pages whose commands run here. Programs run in `test/sdk/snippets.test.ts`. */
const RUN_HERE = ["start/quick-start.md", "start/release-a-feature.md", "start/run-an-experiment.md"];

let server: Awaited<ReturnType<typeof startReady>>;
beforeAll(async () => {
  server = await startReady({ GATEHOUSE_DATA_DIR: "memory", GATEHOUSE_CONSOLE_KEY: TEST_KEY, LOG_LEVEL: "error" });
});
afterAll(() => server.stop());

describe.each(RUN_HERE)("the commands of %s", (page) => {
  let shell: ReturnType<typeof openShell>;
  beforeAll(() => {
    shell = openShell({ GATEHOUSE_CONSOLE_KEY: TEST_KEY });
  });
  afterAll(() => shell.close());

  test("do what the page says when they are pasted", async () => {
    const blocks = readRunBlocks(page).map((code) => code.replaceAll("http://127.0.0.1:4000", server.url));
    await RUNS[page]?.(blocks, {
      paste: shell.paste,
      pasteJSON: async (lines) => JSON.parse(await shell.paste(lines)),
    });
  });
});

type Pasting = { paste(lines: string): Promise<string>; pasteJSON(lines: string): Promise<unknown> };

const RUNS: Record<string, (blocks: string[], pasting: Pasting) => Promise<void>> = {
  async "start/quick-start.md"(blocks, { paste, pasteJSON }) {
    const [create = "", key = "", read = "", disable = "", ...others] = blocks;
    expect(others).toEqual([]);
    expect(await pasteJSON(create)).toMatchObject({ message: "Gate created successfully.", data: { id: "new_checkout" } });
    await paste(key);
    expect(await pasteJSON(read)).toMatchObject({ key: "new_checkout", value: true, reason: "TARGETING_MATCH" });
    expect(await pasteJSON(disable)).toMatchObject({ data: { status: "Disabled" } });
    await waitFor(async () => expect(await pasteJSON(read)).toMatchObject({ key: "new_checkout", value: false, reason: "DISABLED" }));
  },

  async "start/release-a-feature.md"(blocks, { paste, pasteJSON }) {
    const [create = "", key = "", program = "", employee = "", raise = "", again = "", checks = "", ...rest] = blocks;
    const [launch = "", last = "", archive = "", ...others] = rest;
    expect(others).toEqual([]);
    expect(await pasteJSON(create)).toMatchObject({ data: { id: "one-page_checkout" } });
    await paste(key);
    expect(await paste(program)).toBe("0 of 1000 users see the one-page checkout.");
    expect(await pasteJSON(employee)).toMatchObject({ value: true });
    expect(await pasteJSON(raise)).toMatchObject({ data: { rules: [{ name: "Employees" }, { passPercentage: 10 }] } });
    await waitFor(async () => expect(Number(/^\d+/.exec(await paste(again))?.[0])).toBeGreaterThan(50));
    await waitFor(async () =>
      expect(await pasteJSON(checks)).toMatchObject({
        data: {
          rules: expect.arrayContaining([
            expect.objectContaining({ ruleID: "everyone", passes: expect.any(Number), fails: expect.any(Number) }),
          ]),
        },
      }),
    );
    expect(await pasteJSON(launch)).toMatchObject({ data: { status: "Launched" } });
    await waitFor(async () => expect(await paste(last)).toBe("1000 of 1000 users see the one-page checkout."));
    expect(await pasteJSON(archive)).toMatchObject({ data: { status: "Archived" } });
  },

  async "start/run-an-experiment.md"(blocks, { paste, pasteJSON }) {
    const [metric = "", create = "", start = "", key = "", ask = "", event = "", exposure = "", ...rest] = blocks;
    const [simulate = "", load = "", read = "", decide = "", ...others] = rest;
    expect(others).toEqual([]);
    expect(await pasteJSON(metric)).toMatchObject({ data: { id: "Buyers::event_user" } });
    expect(await pasteJSON(create)).toMatchObject({ data: { id: "buy_button", status: "setup" } });
    expect(await pasteJSON(start)).toEqual({ message: "Experiment successfully started." });
    await paste(key);
    expect(await pasteJSON(ask)).toMatchObject({ reason: "SPLIT", variant: expect.stringMatching(/^(Blue|Green)$/) });
    expect(await pasteJSON(event)).toMatchObject({ success: true });
    expect(await pasteJSON(exposure)).toMatchObject({ success: true });
    expect(await paste(simulate)).toMatch(/^\d{3} of 2000 shoppers bought\.$/);
    let results: Record<string, number> = {};
    // On a busy machine, exposures can be stored after the results are loaded. Then another load counts them.
    await waitFor(async () => {
      expect(await pasteJSON(load)).toMatchObject({ message: "Experiment is loading." });
      results = (await pasteJSON(read)) as Record<string, number>;
      expect(results).toMatchObject({ isSignificant: true });
    });
    expect(results.controlMean).toBeCloseTo(0.2, 1);
    expect(results.testMean).toBeCloseTo(0.35, 1);
    expect(await pasteJSON(decide)).toEqual({ message: "Decision made for Experiment." });
    await waitFor(async () => expect(await pasteJSON(ask)).toMatchObject({ value: { color: "green" }, reason: "STATIC" }));
  },
};

test("each command and program of the documentation is run, or says why it is not", () => {
  const run = readBlocks().filter(({ skipped }) => skipped === undefined);
  const here = run.filter(({ language }) => language === "sh");
  expect([...new Set(here.map(({ page }) => page))]).toEqual(RUN_HERE);
});
