import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openRelayFolder, type StatePart } from "./relay-folder.ts";

let path: string;
let warnings: Record<string, unknown>[];
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), "gatehouse-state-"));
  warnings = [];
});
afterEach(() => rmSync(path, { recursive: true, force: true }));

const log = pino({ level: "warn" }, { write: (line: string) => warnings.push(JSON.parse(line)) });
const ruleset = (digit: string) => `ruleset-${digit}.json`;
/** Parts with these contents, whose reads are counted. */
function parts(contents: Record<string, string>, reads: string[] = []): StatePart[] {
  return Object.entries(contents).map(([name, text]) => ({
    ...{ name: ruleset(name), mark: text },
    content() {
      reads.push(name);
      return { text };
    },
  }));
}
/** Writes states one after the other, as a relay that closes does. */
async function write(states: StatePart[][], more = {}): Promise<void> {
  let current: StatePart[] = [];
  const folder = await openRelayFolder({ path, owner: "a", current: () => current, log, ...more });
  for (current of states) await folder.close();
}
async function read(more = {}) {
  const folder = await openRelayFolder({ path, owner: "a", current: () => [], log, ...more });
  return Object.fromEntries(await folder.read());
}

describe("the state of a relay on disk", () => {
  test("is written again only where it changed, and files of removed parts are deleted", async () => {
    const reads: string[] = [];
    await write([parts({ 1: "one", 2: "two" }, reads), parts({ 1: "one", 2: "other" }, reads), parts({ 2: "other" }, reads)]);
    expect(reads).toEqual(["1", "2", "2"]);
    expect(await read()).toEqual({ [ruleset("2")]: { text: "other" } });
    expect(await read({ owner: "b" })).toEqual({});
    expect(readdirSync(path)).toEqual([ruleset("2")]);
  });

  test("is bounded in its files and bytes, and the log says once that a part is left out", async () => {
    const size = Buffer.byteLength(JSON.stringify({ owner: "a", content: { text: "12345" } }));
    const states = ["12345", "54321"].map((text) => parts({ 1: text, 2: text, 3: text }));
    await write(states, { limits: { files: 10, bytes: 2 * size } });
    expect(readdirSync(path)).toEqual([ruleset("1"), ruleset("2")]);
    expect(warnings).toMatchObject([
      { left: 1, msg: "The state of the relay exceeds its limit. The rest is not stored in GATEHOUSE_RELAY_DATA." },
    ]);
    await write([parts({ 1: "a", 3: "b" })], { limits: { files: 1, bytes: 1_000 } });
    expect(await read()).toEqual({ [ruleset("1")]: { text: "a" } });
    await write([parts({ 1: "a", 2: "b", 3: "c" })]);
    warnings.length = 0;
    expect(Object.keys(await read({ limits: { files: 3, bytes: size } }))).toEqual([ruleset("1")]);
    expect(warnings).toMatchObject([{ msg: expect.stringContaining("exceed their limit") }]);
  });

  test("serializes a part that did not fit only once, until it changes or fits", async () => {
    const reads: string[] = [];
    const size = Buffer.byteLength(JSON.stringify({ owner: "a", content: { text: "12345" } }));
    const full = { 1: "12345", 2: "12345", 3: "12345" };
    const states = [full, full, { ...full, 3: "54321" }, { 3: "54321" }, { 3: "54321" }];
    await write(
      states.map((one) => parts(one, reads)),
      { limits: { files: 10, bytes: 2 * size } },
    );
    expect(reads).toEqual(["1", "2", "3", "3", "3"]);
    expect(await read()).toEqual({ [ruleset("3")]: { text: "54321" } });
    reads.length = 0;
    await write([parts(full, reads), parts(full, reads)], { limits: { files: 2, bytes: 1_000 } });
    expect(reads).toEqual(["1", "2"]);
  });

  test("is read without the files that are broken, and each of them is in the log", async () => {
    await write([parts({ 1: "one", 2: "two" })]);
    writeFileSync(join(path, ruleset("1")), readFileSync(join(path, ruleset("1")), "utf8").slice(0, -3));
    for (const name of ["ruleset-3.json.123", "state.json"]) writeFileSync(join(path, name), "half");
    expect(await read()).toEqual({ [ruleset("2")]: { text: "two" } });
    expect(warnings).toMatchObject([{ file: ruleset("1"), msg: expect.stringContaining("cannot be read and is ignored") }]);
    expect(readdirSync(path)).toEqual([ruleset("1"), ruleset("2")]);
  });

  test("stays if a relay stops before it had any", async () => {
    await write([parts({ 1: "one" })]);
    await write([[]]);
    expect(await read()).toEqual({ [ruleset("1")]: { text: "one" } });
  });
});
