// The kinds of operations on entities, by the verb of their operationId. Path files leave out everything that follows from the kind.

const parameter = (name) => `../components/parameters/${name}.yaml`;

/** An operation that changes the state of an entity and answers the entity. */
const change = (verb, participle) => ({
  summary: ({ one }) => `${verb} ${one}`,
  success: ({ noun }, answers) => (answers === "message" ? `The ${noun} was ${participle}.` : `The ${participle} ${noun}.`),
  answers: "result",
  example: participle,
});

/** @type {Record<string, import("../plugin/complete-entity-operation.mjs").Kind>} */
export const kinds = {
  list: {
    isOfMany: true,
    summary: ({ plural }) => `List ${plural}`,
    success: ({ plural }) => `One page of ${plural}.`,
    answers: "list",
    example: "listed",
    parameters: [parameter("limit"), parameter("page")],
  },
  create: { ...change("Create", "created"), status: "201" },
  get: {
    summary: ({ one }) => `Get ${one}`,
    success: ({ noun }) => `The ${noun}.`,
    answers: "result",
    example: "read",
    parameters: [parameter("ifNoneMatch")],
  },
  update: change("Update", "updated"),
  patch: change("Change fields of", "updated"),
  delete: {
    summary: ({ one }) => `Delete ${one}`,
    success: ({ noun }, answers) => `The ${noun} was deleted.${answers === "result" ? " `data` is its last state." : ""}`,
    answers: "message",
    example: "deleted",
  },
  archive: change("Archive", "archived"),
  unarchive: change("Unarchive", "unarchived"),
  enable: change("Enable", "enabled"),
  disable: change("Disable", "disabled"),
  launch: change("Launch", "launched"),
};

/** The two operations that `x-versions` adds below the path of an entity. */
export const versions = {
  list: {
    summary: ({ one }) => `List the versions of ${one}`,
    description: ({ noun, one, isDeletable, identifier }) =>
      [
        `Returns all versions of the ${noun} since its creation. Each item is a complete ${noun}, and the first is the current version.`,
        ...(isDeletable ? [`The versions of a deleted ${noun} stay listed until ${one} with its ${identifier} is created.`] : []),
      ].join(" "),
    success: () => "One page of versions.",
    answers: "version-list",
    example: "versionsListed",
    parameters: [parameter("limit"), parameter("page")],
  },
  restore: {
    summary: ({ one }) => `Restore a version of ${one}`,
    description: ({ noun }) => `Creates a new version that equals an earlier one. A deleted ${noun} exists again.`,
    success: ({ noun }) => `The restored ${noun}.`,
    answers: "result",
    example: "restored",
    pathParameters: [parameter("version")],
  },
};
