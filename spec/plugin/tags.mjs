/**
 * Adds the tags that entities describe to those of the document, in place and in the order of their names.
 *
 * @param {object} root
 * @param {import("./entity.mjs").Entity[]} entities
 * @returns {{ entity: import("./entity.mjs").Entity, at: string[], message: string }[]} Tags without a description, or with two.
 */
export function addTags(root, entities) {
  const described = entities.filter(({ node }) => node.description !== undefined);
  const tags = [...(root.tags ?? []), ...described.map(({ tag, node }) => ({ name: tag, description: node.description }))];
  const descriptionsOf = (name) => tags.filter((tag) => tag.name === name).length;
  if (described.length > 0) root.tags = tags.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return [
    ...entities
      .filter(({ tag }) => descriptionsOf(tag) === 0)
      .map((entity) => ({ entity, at: [], message: `State the \`description\` of the tag ${entity.tag}.` })),
    ...described
      .filter(({ tag }) => descriptionsOf(tag) > 1)
      .map((entity) => ({ entity, at: ["description"], message: `The tag ${entity.tag} has another description. Leave out one of them.` })),
  ];
}
