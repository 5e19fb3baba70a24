// From the hand-written spec: one bundled document, its types and its route table for each API.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import openapiTS, { astToString } from "openapi-typescript";

const packageFolder = fileURLToPath(new URL("..", import.meta.url));
const repository = fileURLToPath(new URL("../../..", import.meta.url));
const redocly = fileURLToPath(import.meta.resolve("@redocly/cli/bin/cli.js"));

mkdirSync(`${packageFolder}/generated`, { recursive: true });
mkdirSync(`${packageFolder}/src/generated`, { recursive: true });
for (const api of ["console", "evaluation"]) await generate(api);

async function generate(api) {
  const bundle = `${packageFolder}/generated/${api}.json`;
  quietly(["bundle", api, "--output", bundle]);
  const document = JSON.parse(readFileSync(bundle, "utf8"));
  const types = await openapiTS(document, { readWriteMarkers: true });
  writeFileSync(`${packageFolder}/src/generated/${api}.ts`, astToString(types));
  writeFileSync(`${packageFolder}/src/generated/${api}-routes.ts`, routeTable(document));
}

/** What the tool says is shown only when it fails. */
function quietly(commandLine) {
  try {
    execFileSync(process.execPath, [redocly, ...commandLine], {
      cwd: repository,
      env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
      stdio: ["ignore", "pipe", "pipe"],
    });
  } catch ({ stdout, stderr }) {
    process.stderr.write(`${stdout}${stderr}`);
    process.exit(1);
  }
}

function routeTable(document) {
  const routes = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, operation]) => operation.operationId)
      .map(([method, operation]) => [operation.operationId, routeOf(document, method, path, operation)]),
  );
  return `/** Where every operation is served, by operationId. */\nexport const routes = ${JSON.stringify(Object.fromEntries(routes), null, 2)} as const;\n`;
}

function routeOf(document, method, path, operation) {
  const parameters = (operation.parameters ?? []).map((node) => resolve(document, node));
  const [, answer] = Object.entries(operation.responses).find(([status]) => status.startsWith("2"));
  const content = resolve(document, answer).content ?? {};
  return {
    method,
    path,
    ...(parameters.some(({ name }) => name === "Idempotency-Key") && { takesIdempotencyKey: true }),
    ...(!("application/json" in content) && { answersText: true }),
  };
}

function resolve(document, node) {
  if (!node.$ref) return node;
  const [, ...steps] = node.$ref.split("/");
  return steps.reduce((found, step) => found[step], document);
}
