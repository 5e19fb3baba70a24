import { expect, test } from "vitest";
import { kinds, versions } from "../../../spec/console/kinds.mjs";
import { completeDocument } from "../../../spec/plugin/complete-document.mjs";

const tag = { id: "t1", name: "checkout", lastModifiedTime: 1763700000000, version: 1 };

/** A contract with the paths of one entity, as the linter parses its files. */
function completed(paths, entity = {}) {
  const files = {
    "entities/tag.yaml": {
      noun: "tag",
      description: "Labels.",
      schema: { $ref: "../components/schemas/tags/Tag.yaml" },
      example: { $ref: "Tag.yaml" },
      ...entity,
    },
    "../components/schemas/tags/Tag.yaml": { type: "object" },
    "Tag.yaml": tag,
    ...Object.fromEntries(Object.entries(paths).map(([path, item]) => [`paths${path}`, item])),
  };
  const root = {
    paths: Object.fromEntries(Object.keys(paths).map((path) => [path, { $ref: `paths${path}` }])),
    "x-entities": { tag: { $ref: "entities/tag.yaml" } },
  };
  const resolve = ({ $ref }) => ({ node: files[$ref], location: { source: { absoluteRef: $ref } } });
  const faults = completeDocument(root, { rules: [], kinds, versions }, resolve);
  return { root, files, messages: [...faults.values()].flat().map(({ message }) => message) };
}

const of = (operationId, fields) => ({ "x-entity": "tag", operationId, ...fields });

test("An operation on an entity gets its tag, summary, response and examples from the verb of its name", () => {
  const list = of("listTags", { parameters: [{ $ref: "search.yaml" }] });
  const { files } = completed({ "/tags": { get: list } });
  expect(list).toEqual({
    tags: ["Tags"],
    summary: "List tags",
    operationId: "listTags",
    "x-entity": "tag",
    "x-kind": "list",
    parameters: ["search.yaml", "../components/parameters/limit.yaml", "../components/parameters/page.yaml"].map(($ref) => ({ $ref })),
    responses: {
      200: {
        description: "One page of tags.",
        content: {
          "application/json": {
            schema: { $ref: "../components/schemas/tags/Tag.yaml#/TagList" },
            examples: { tagsListed: { $ref: "../entities/tag.yaml#/TagsListed" } },
          },
        },
      },
    },
  });
  expect(files["entities/tag.yaml"].TagsListed).toMatchObject({ value: { message: "Tags listed successfully.", data: [tag] } });
});

test("A result that a write answers has what a dry run shows, and one that only reads answer does not", () => {
  const envelopeWith = (operations) => completed({ "/tags/{id}": operations }).files["../components/schemas/tags/Tag.yaml"].TagResult;
  const read = { get: of("getTag") };
  expect(Object.keys(envelopeWith(read).properties)).toEqual(["message", "data"]);
  expect(Object.keys(envelopeWith({ ...read, patch: of("patchTag") }).properties)).toEqual([
    "message",
    "data",
    "changes",
    "requirements",
    "impact",
  ]);
});

test("An operation keeps the fields that its path file states", () => {
  const create = of("createTag", { "x-status": 200, summary: "Add a tag", responses: { 200: { description: "The tag." } } });
  completed({ "/tags": { post: create } });
  expect(create).toMatchObject({ summary: "Add a tag", responses: { 200: { description: "The tag." } } });
  expect(Object.keys(create.responses)).toEqual(["200"]);
});

test("The examples of versions show an entity before and after its change", () => {
  const { root, files } = completed(
    { "/tags/{id}": { parameters: [], "x-versions": { "x-entity": "tag", restore: {} }, get: of("getTag") }, "/teams": {} },
    { examples: { changed: { name: "cart" } } },
  );
  expect(Object.keys(root.paths)).toEqual(["/tags/{id}", "/tags/{id}/versions", "/tags/{id}/versions/{version}/restore", "/teams"]);
  const { TagVersionsListed, TagRestored } = files["entities/tag.yaml"];
  expect(TagVersionsListed.value.data).toEqual([{ ...tag, name: "cart", lastModifiedTime: 1763786400000, version: 2 }, tag]);
  expect(TagVersionsListed.value.pagination.all).toBe("/tags/t1/versions");
  expect(TagRestored.value.data).toEqual({ ...tag, lastModifiedTime: 1763872800000, version: 3 });
});

test("The versions of a deleted entity are mentioned only if entities of the type can be deleted", () => {
  const described = (operations) => {
    const item = { parameters: [], "x-versions": { "x-entity": "tag", restore: {} }, ...operations };
    completed({ "/tags/{id}": item });
    return item.versions.get.description;
  };
  expect(described({ delete: of("deleteTag") })).toMatch(/until a tag with its id is created\.$/);
  expect(described({})).toMatch(/and the first is the current version\.$/);
});

test("A message or a tag that would be added anyway is refused", () => {
  const { messages } = completed(
    { "/tags/{id}": { get: of("getTag", { tags: ["Tags"] }) } },
    { examples: { read: { message: "Tag read successfully." } } },
  );
  expect(messages).toEqual([
    "`x-entity` adds `tags` to this operation. Leave it out here.",
    "Every read example has this message. Leave it out here.",
  ]);
});
