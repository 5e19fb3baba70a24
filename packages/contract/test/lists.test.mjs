import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { valueAt } from "../dist/descriptions.js";

const document = JSON.parse(readFileSync(new URL("../generated/console.json", import.meta.url), "utf8"));

/** Environments come all at once. New changes move the pages of `listChanges` all the time. */
const WITHOUT_PAGINATION = ["getEnvironments", "listChanges"];

const resolve = (node) => (node?.$ref ? resolve(valueAt(document, node.$ref)) : node);

const reads = Object.values(document.paths).flatMap((item) => {
  const { get } = item;
  const schema = resolve(resolve(get?.responses["200"])?.content?.["application/json"]?.schema);
  if (!schema) return [];
  const query = [...(item.parameters ?? []), ...(get.parameters ?? [])].map(resolve).filter((one) => one.in === "query");
  return [{ operationId: get.operationId, parameters: query.map(({ name }) => name), properties: schema.properties ?? {} }];
});

const isList = ({ operationId, properties: { data, pagination } }) =>
  operationId.startsWith("list") || pagination !== undefined || resolve(data)?.type === "array" || WITHOUT_PAGINATION.includes(operationId);

test("every list takes limit and page", () => {
  const lists = reads.filter(isList);
  expect(lists.length).toBeGreaterThan(60);
  const without = lists.filter(({ parameters }) => !["limit", "page"].every((name) => parameters.includes(name)));
  expect(without.map(({ operationId }) => operationId)).toEqual([]);
});

test("every list has pagination, except environments and changes", () => {
  const without = reads.filter((read) => isList(read) && !read.properties.pagination);
  expect(without.map(({ operationId }) => operationId).toSorted()).toEqual(WITHOUT_PAGINATION);
});
