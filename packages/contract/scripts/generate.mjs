// Generates from the hand-written spec, for each API: the bundled document, its types, the descriptions of operations, and their part for
// clients, the route table.
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import openapiTS, { astToString } from "openapi-typescript";
import { describeOperations, describePermissions, valueAt } from "./describe-operations.mjs";

const packageFolder = fileURLToPath(new URL("..", import.meta.url));
const repository = fileURLToPath(new URL("../../..", import.meta.url));
const redocly = fileURLToPath(import.meta.resolve("@redocly/cli/bin/cli.js"));

mkdirSync(`${packageFolder}/generated`, { recursive: true });
mkdirSync(`${packageFolder}/src/generated`, { recursive: true });
await Promise.all(["console", "evaluation", "scim"].map(generate));

async function generate(api) {
  const bundle = `${packageFolder}/generated/${api}.json`;
  await quietly(["bundle", api, "--output", bundle]);
  const derived = JSON.parse(readFileSync(bundle, "utf8"));
  const descriptions = describeOperations(derived, api);
  const { "x-entities": entities, ...document } = withoutOwnExtensions(derived);
  writeFileSync(bundle, JSON.stringify(document, null, 2));
  const types = await openapiTS(withFieldComments(document), { readWriteMarkers: true });
  writeFileSync(`${packageFolder}/src/generated/${api}.ts`, withComments(astToString(types), document));
  writeFileSync(`${packageFolder}/src/generated/${api}-descriptions.ts`, descriptionTable(api, descriptions));
  writeFileSync(`${packageFolder}/src/generated/${api}-routes.ts`, routeTable(descriptions));
  if (api !== "console") return;
  writeFileSync(`${packageFolder}/src/generated/${api}-permissions.ts`, permissionTable(describePermissions(document)));
  writeFileSync(`${packageFolder}/src/generated/${api}-entity-types.ts`, entityTypeList(Object.keys(entities)));
}

/**
 * The types, with comments that editors show as Markdown. Each operation has its summary and description: openapi-typescript comments only the
 * operations of paths, and has descriptions as indented tags.
 */
function withComments(types, document) {
  const operations = Object.values(document.paths).flatMap(Object.values);
  const described = new Map(operations.map(({ operationId, summary, description }) => [operationId, [summary, description]]));
  const untagged = types
    .replace(/^( +\*) {5}/gm, "$1 ")
    .replace(/(\/\*\*(?:\n +\*)?) @description /g, "$1 ")
    .replace(/\n( +)\* @description /g, "\n$1*\n$1* ");
  const [before, after] = untagged.split("export interface operations {\n");
  const commented = after.replace(/^ {4}(\w+): \{$/gm, (line, operationId) => `${toComment(described.get(operationId))}${line}`);
  return `${before}export interface operations {\n${commented}`;
}

/** The document, where a field that only refers to a schema has its description, which becomes the field's comment. */
function withFieldComments(document) {
  const described = structuredClone(document);
  const visit = (node) => {
    if (typeof node !== "object" || node === null) return;
    for (const field of Object.values(fieldsIn(node))) {
      const { description } = (field.$ref && Object.keys(field).length === 1 && valueAt(document, field.$ref)) || {};
      if (description !== undefined) field.description = description;
    }
    Object.values(node).forEach(visit);
  };
  visit(described.paths);
  visit(described.components);
  return described;
}

/** The fields of a schema; none if the node is something else, such as a list of fields. */
function fieldsIn({ type, properties }) {
  return typeof properties === "object" && properties !== null && (type === undefined || [type].flat().includes("object"))
    ? properties
    : {};
}

function toComment(paragraphs) {
  const lines = paragraphs.filter(Boolean).join("\n\n").trimEnd().split("\n");
  return `    /**\n${lines.map((line) => `     * ${line}`.trimEnd().replaceAll("*/", "*\u2215")).join("\n")}\n     */\n`;
}

/** The document without the extensions that only its descriptions need. */
function withoutOwnExtensions(document) {
  const operations = Object.values(document.paths).flatMap(Object.values);
  for (const operation of operations) {
    delete operation["x-entity"];
    delete operation["x-kind"];
    delete operation["x-uncalled"];
    delete operation["x-unscheduled"];
    delete operation["x-unbatched"];
  }
  nameEmptyValues(document.components.schemas);
  return document;
}

/** Names the empty values of enumerations, since generators of clients can't make a name of an empty text. */
function nameEmptyValues(node) {
  if (typeof node !== "object" || node === null) return;
  if (Array.isArray(node.enum) && node.enum.includes(""))
    node["x-enum-varnames"] = node.enum.filter((value) => value !== null).map((value) => value.toUpperCase() || "EMPTY");
  Object.values(node).forEach(nameEmptyValues);
}

/** Runs the tool, whose output is shown only if it fails. */
async function quietly(commandLine) {
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  try {
    await promisify(execFile)(process.execPath, [redocly, ...commandLine], { cwd: repository, env });
  } catch ({ stdout, stderr }) {
    process.stderr.write(`${stdout}${stderr}`);
    process.exit(1);
  }
}

function descriptionTable(api, descriptions) {
  return [
    'import type { OperationDescription } from "../descriptions.ts";',
    `import type { operations } from "./${api}.ts";`,
    "",
    "/** What programs need to know of every operation, by operationId. */",
    "export const descriptions: Record<keyof operations, OperationDescription> = {",
    ...Object.entries(descriptions).map(([operationId, description]) => `  ${operationId}: ${JSON.stringify(description)},`),
    "};",
    "",
  ].join("\n");
}

function entityTypeList(types) {
  return `/** The types of all entities that have changes and versions. */\nexport const entityTypes = ${JSON.stringify(types)} as const;\n`;
}

function permissionTable(permissions) {
  return [
    'import type { Permission, PermissionDescription } from "../descriptions.ts";',
    "",
    "/** What gives each permission, by its name. */",
    "export const permissions: Record<Permission, PermissionDescription> = {",
    ...Object.entries(permissions).map(([name, description]) => `  ${name}: ${JSON.stringify(description)},`),
    "};",
    "",
  ].join("\n");
}

function routeTable(descriptions) {
  const routes = Object.entries(descriptions).map(([operationId, description]) => {
    const { method, path, takesIdempotencyKey, isBatchable, takesApplyAt, takesRepeat, answersJSON, readsByPost, asks } = description;
    const facts = {
      ...(takesIdempotencyKey && { takesIdempotencyKey }),
      ...(isBatchable && { isBatchable }),
      ...(takesApplyAt && { takesApplyAt }),
      ...(takesRepeat && { takesRepeat }),
      ...(!answersJSON && { answersText: true }),
      ...(readsByPost && { readsByPost }),
      ...(asks === "model" && { asksModel: true }),
    };
    return [operationId, { method, path, ...facts }];
  });
  return `/** Where every operation is served, by operationId. */\nexport const routes = ${JSON.stringify(Object.fromEntries(routes), null, 2)} as const;\n`;
}
