import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { valueAt } from "../dist/descriptions.js";

const document = JSON.parse(readFileSync(new URL("../generated/console.json", import.meta.url), "utf8"));

const operations = Object.values(document.paths).flatMap((item) => Object.values(item).filter(({ operationId }) => operationId));
const resolve = (node) => (node?.$ref ? resolve(valueAt(document, node.$ref)) : node);
const isSchedulable = ({ parameters = [] }) => parameters.some((one) => resolve(one).name === "applyAt");

/** Whether a part of the schema is never answered. */
function hasSecret(node, seen = new Set()) {
  if (typeof node !== "object" || node === null || seen.has(node)) return false;
  seen.add(node);
  if (node.writeOnly) return true;
  return hasSecret(node.$ref && valueAt(document, node.$ref), seen) || Object.values(node).some((part) => hasSecret(part, seen));
}

test("no operation that can be scheduled takes or shows a secret, and each declares 202", () => {
  const scheduled = operations.filter(isSchedulable);
  expect(scheduled.length).toBeGreaterThan(150);
  expect(operations.some(({ requestBody }) => hasSecret(requestBody))).toBe(true);
  const open = scheduled.filter((one) => hasSecret(one.requestBody) || one["x-shown-once"]);
  expect(open.map(({ operationId }) => operationId)).toEqual([]);
  expect(operations.filter(({ responses }) => responses["202"])).toEqual(scheduled);
});
