import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openJournal } from "./event-journal.ts";
import { createEventQueue, type QueuedBatch } from "./event-queue.ts";
import { originAway, RejectedRequest } from "./upstream.ts";

let folder: string;
let path: string;
/** The keys of each request. */
let sent: string[][];
/** Called before each answer. */
let answer: (keys: string[]) => unknown;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-queue-"));
  path = join(folder, "relay", "events.jsonl");
  sent = [];
  answer = () => {};
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const away = () => {
  throw originAway(new Error("No origin."));
};
const batch = (key: string, more: Partial<QueuedBatch> = {}): QueuedBatch => ({ key, projectID: "p", count: 1, text: key, ...more });
const file = () => readFileSync(path, "utf8");
const restored = async () => {
  const journal = await openJournal(path);
  await journal.close();
  return journal.restored;
};
/** Waits for work of the queue. */
async function until(isMet: () => boolean): Promise<void> {
  while (!isMet()) await turn();
}
async function start({ findProject = async () => "p", journal = true, log = pino({ level: "silent" }) } = {}) {
  return createEventQueue({
    async send(keys) {
      sent.push(keys);
      await answer(keys);
    },
    ...{ findProject, log, maxCharacters: 2 ** 26 },
    journal: journal ? await openJournal(path) : undefined,
  });
}

describe("the queue of a relay", () => {
  test("empties its file when no batch in it waits, even if others do", async () => {
    const queue = await start();
    answer = away;
    await queue.add(batch("a"));
    expect(file()).toContain('"key":"a"');
    let answerLast = () => {};
    const added: Promise<void>[] = [];
    answer = ([key]) => {
      if (key === "c")
        return new Promise<void>((resolve) => {
          answerLast = resolve;
        });
      added.push(queue.add(batch(key === "a" ? "b" : "c")));
    };
    await until(() => sent.at(-1)?.[0] === "c");
    expect(file()).toBe("");
    answerLast();
    await Promise.all(added);
    await queue.close(1_000);
  });

  test("starts with a file and sends only the batches that still wait", async () => {
    const queue = await start();
    answer = away;
    await Promise.all(["a", "bad", "b"].map((key) => queue.add(batch(key))));
    answer = (keys) => keys.includes("bad") && away();
    await until(() => queue.state().batches === 1);
    await queue.close(0);
    sent = [];
    answer = () => {};
    const restarted = await start();
    expect(restarted.state()).toMatchObject({ batches: 1, events: 1, characters: 3 });
    await until(() => restarted.state().batches === 0);
    expect(sent).toEqual([["bad"]]);
    await restarted.close(1_000);
    expect(file()).toBe("");
  });

  test("forwards other batches while one fails, and sends smaller groups after a failure", async () => {
    answer = (keys) => keys.includes("bad") && away();
    const queue = await start();
    await Promise.all(["a", "bad", "b", "c"].map((key) => queue.add(batch(key))));
    await until(() => queue.state().batches === 1);
    await queue.add(batch("d"));
    await until(() => queue.state().batches === 1);
    expect(sent.filter((keys) => !keys.includes("bad")).flat()).toEqual(["a", "b", "c", "d"]);
    answer = () => {};
    await until(() => queue.state().batches === 0);
    await queue.close(1_000);
  });

  test("drops a batch that the origin rejects, and only that one", async () => {
    answer = (keys) => {
      if (keys.includes("bad")) throw new RejectedRequest("No.");
    };
    const queue = await start({ journal: false });
    const first = queue.add(batch("a"));
    await expect(Promise.all([first, queue.add(batch("b")), queue.add(batch("bad", { count: 3 }))])).rejects.toThrow("No.");
    await until(() => queue.state().batches === 0);
    expect(queue.state().refused).toBe(3);
    await queue.close(1_000);
  });

  test("writes a batch to its file once, however often it is kept", async () => {
    answer = away;
    const queue = await start();
    await Promise.all(["a", "b"].map((key) => queue.add(batch(key))));
    await Promise.all([queue.add(batch("a")), queue.add(batch("c")), queue.add(batch("c"))]);
    await queue.close(0);
    const keys = file().match(/"key":"(.)"/g);
    expect(keys).toEqual(['"key":"a"', '"key":"b"', '"key":"c"']);
  });

  test("drops the waiting events of another project, after the origin has said which project it serves", async () => {
    const journal = await openJournal(path);
    await Promise.all([journal.append(batch("a")), journal.append(batch("b", { projectID: "q" }))]);
    await journal.close();
    let isAway = true;
    const restarted = await start({ findProject: async () => (isAway ? away() : "q") });
    expect(restarted.state().batches).toBe(2);
    isAway = false;
    await until(() => restarted.state().batches === 0);
    expect(sent).toEqual([["b"]]);
    expect(restarted.state()).toMatchObject({ events: 0, characters: 0, refused: 1 });
    await restarted.close(1_000);
  });
});

describe("the file of waiting events", () => {
  test("keeps a batch that is added while the file is emptied", async () => {
    const journal = await openJournal(path);
    await Promise.all([journal.append(batch("a")), journal.clear(), journal.append(batch("b"))]);
    await journal.close();
    expect(await restored()).toEqual([batch("b")]);
  });

  test("has only the batches that it is rewritten with, and later ones", async () => {
    const journal = await openJournal(path);
    const text = "x".repeat(2 ** 22);
    await Promise.all([journal.append(batch("a", { text })), journal.append(batch("b"))]);
    expect(journal.isLarge()).toBe(true);
    await Promise.all([journal.rewrite([batch("b")]), journal.append(batch("c\u2028"))]);
    expect(journal.isLarge()).toBe(false);
    await journal.remove(["b"]);
    await journal.close();
    expect(await restored()).toEqual([batch("c\u2028")]);
    expect(file().length).toBeLessThan(1_000);
  });

  test("ignores a line that was cut off", async () => {
    const journal = await openJournal(path);
    await journal.append(batch("a"));
    await journal.close();
    writeFileSync(path, `${file()}{"key":"b"`);
    const next = await openJournal(path);
    await next.append(batch("c"));
    await next.close();
    expect(await restored()).toEqual([batch("a"), batch("c")]);
  });

  test("stops the start with a clear text if the folder cannot be used", async () => {
    writeFileSync(join(folder, "relay"), "a file");
    await expect(openJournal(path)).rejects.toThrow(/^The settings are not valid:\n {2}GATEHOUSE_RELAY_DATA cannot be used: E/);
  });
});
