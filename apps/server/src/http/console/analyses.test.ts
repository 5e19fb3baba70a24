import { EventEmitter } from "node:events";
import type { Response } from "express";
import { expect, test } from "vitest";
import type { Database } from "../../store/database/database.ts";
import { createAnalyses } from "./analyses.ts";

type Running = { text: string; signal: AbortSignal; end(): void; fail(error: unknown): void };

/** A database whose statements run until they are ended. */
function slowDatabase() {
  const running: Running[] = [];
  const analyse: Database["analyse"] = (text, _, { signal }) =>
    new Promise((resolve, reject) => running.push({ text, signal, end: () => resolve([]), fail: reject }));
  return { analyse, running, texts: () => running.map(({ text }) => text) };
}

const request = () => new EventEmitter() as unknown as Response & EventEmitter;
const statement = (text: string) => ({ text, parameters: [] });
/** Runs all pending tasks that need no other event. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test("two analyses of a project run at once, and its others begin in their order as those end", async () => {
  const database = slowDatabase();
  const analyses = createAnalyses(database);
  const all = ["a", "b", "c", "d"].map((text) => analyses.of(request(), "a").analyse(statement(text)));
  await settled();
  expect(database.texts()).toEqual(["a", "b"]);
  database.running[1]?.end();
  await settled();
  expect(database.texts()).toEqual(["a", "b", "c"]);
  database.running[0]?.fail(new Error("The table is gone."));
  await expect(all[0]).rejects.toThrow("The table is gone.");
  await settled();
  expect(database.texts()).toEqual(["a", "b", "c", "d"]);
});

test("analyses of other projects do not wait for one whose analyses are slow", async () => {
  const database = slowDatabase();
  const analyses = createAnalyses(database);
  for (const text of ["a1", "a2", "a3"]) void analyses.of(request(), "a").analyse(statement(text));
  for (const text of ["b1", "b2"]) void analyses.of(request(), "b").analyse(statement(text));
  void analyses.of(request(), "c").analyse(statement("c1"));
  await settled();
  expect(database.texts()).toEqual(["a1", "a2", "b1", "b2"]);
  database.running[0]?.end();
  await settled();
  expect(database.texts()).toEqual(["a1", "a2", "b1", "b2", "a3"]);
  database.running[1]?.end();
  await settled();
  expect(database.texts()).toEqual(["a1", "a2", "b1", "b2", "a3", "c1"]);
});

test("an analysis ends when its caller leaves, and one that waits does not begin", async () => {
  const database = slowDatabase();
  const analyses = createAnalyses(database);
  const callers = [request(), request(), request(), request()];
  const all = callers.map((caller, index) => analyses.of(caller, "a").analyse(statement(String(index))));
  await settled();
  callers[2]?.emit("close");
  await expect(all[2]).rejects.toMatchObject({ code: "unavailable" });
  callers[0]?.emit("close");
  expect(database.running.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  database.running[0]?.fail(new Error("cancelled"));
  await expect(all[0]).rejects.toMatchObject({ code: "unavailable" });
  await settled();
  expect(database.texts()).toEqual(["0", "1", "3"]);
});

test("a statement that Postgres ends at its limit says so, and when to try again", async () => {
  const database = slowDatabase();
  const analysis = createAnalyses(database).of(request(), "a").analyse(statement("slow"));
  await settled();
  database.running[0]?.fail(Object.assign(new Error("canceling statement due to statement timeout"), { code: "57014" }));
  await expect(analysis).rejects.toMatchObject({
    ...{ code: "unavailable", retryAfterS: 30 },
    message: "It took longer than 10 s. Ask for less, or try again when the database has less to do.",
  });
});
