import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { descriptions } from "@gatehouse/contract/console";
import { expect, test } from "vitest";
import type { WebKind } from "../src/kinds/kind.ts";
import { kinds } from "../src/kinds/kinds.ts";

const src = fileURLToPath(new URL("../src/", import.meta.url));
const text = readdirSync(src, { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
  .map((file) => readFileSync(src + file, "utf8"))
  .join("\n");

/** Pages name the operations that they call, or pass them to shared parts. Streams and files have separate functions. */
const CALL = /\b(?:query|call|instanceQuery)\(\s*"(\w+)"/g;
const HANDED = /\boperationId: "(\w+)"|\b(?:list|read|start|cancel): "(\w+Pulse\w+)",|\bof="(\w+)"/g;
const OF_ROUTE = /\broutes\.(\w+)\.path\b/g;
const named = [CALL, HANDED, OF_ROUTE].flatMap((pattern) => [...text.matchAll(pattern)].map(([, ...names]) => names.find(Boolean) ?? ""));
/** The palette searches the lists of kinds, and the audit log restores deleted entities. */
const registered = Object.values<WebKind>(kinds).flatMap(({ list, isInPalette, restore }) => [
  ...(isInPalette ? [list] : []),
  ...(restore === null ? [] : [restore.operationId]),
]);
const called = new Set<string>([...named, ...registered, ...(/\bchanges\(client\b/.test(text) ? ["streamChanges"] : [])]);
const uncalled = Object.values(descriptions).flatMap(({ operationId, uncalled }) => (uncalled === undefined ? [] : [operationId]));

test("pages name only operations of the contract", () => {
  expect(called.size).toBeGreaterThan(20);
  expect([...called].filter((name) => !(name in descriptions))).toEqual([]);
});

test("each operation of the contract is called by a page, or its path file gives the reason in `x-uncalled`", () => {
  expect(Object.keys(descriptions).filter((name) => !called.has(name) && !uncalled.includes(name))).toEqual([]);
});

test("no page calls an operation that states `x-uncalled`", () => {
  expect(uncalled.filter((name) => called.has(name))).toEqual([]);
});
