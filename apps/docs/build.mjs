// One self-contained page for each API, whose reader needs no network, beside the pages that VitePress has built, and the pages as Markdown
// for tools and models that read them.
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { descriptions as consoleDescriptions, permissions } from "@gatehouse/contract/console";
import { descriptions as evaluationDescriptions } from "@gatehouse/contract/evaluation";
import { descriptions as scimDescriptions } from "@gatehouse/contract/scim";
import { withCodeSamples } from "./code-samples.mjs";
import { permissionTable, withPermissions } from "./permissions.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const redocly = fileURLToPath(import.meta.resolve("@redocly/cli/bin/cli.js"));
const apis = [
  {
    name: "console",
    descriptions: consoleDescriptions,
    createClient: "createConsoleClient",
    keyHeader: "SERVICE-API-KEY: $GATEHOUSE_CONSOLE_KEY",
    complete: (document) => withPermissions(document, consoleDescriptions, permissions),
  },
  {
    name: "evaluation",
    descriptions: evaluationDescriptions,
    createClient: "createEvaluationClient",
    keyHeader: "Authorization: Bearer $GATEHOUSE_KEY",
    complete: (document) => document,
  },
  {
    name: "scim",
    descriptions: scimDescriptions,
    keyHeader: "Authorization: Bearer $GATEHOUSE_SCIM_TOKEN",
    complete: (document) => document,
  },
];
/** The renderer's badge, which its page would otherwise load from a server. */
const BADGE =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='40' height='14'%3E%3Ctext y='11' font-family='sans-serif' font-size='11' fill='%23666'%3ERedocly%3C/text%3E%3C/svg%3E";

for (const folder of ["build", "dist/api"]) mkdirSync(`${here}${folder}`, { recursive: true });
for (const { name, descriptions, createClient, keyHeader, complete } of apis) {
  const contract = JSON.parse(readFileSync(fileURLToPath(import.meta.resolve(`@gatehouse/contract/${name}.json`)), "utf8"));
  const document = `build/${name}.json`;
  const page = `dist/api/${name}.html`;
  writeFileSync(
    `${here}${document}`,
    JSON.stringify(withCodeSamples(complete(contract), descriptions, { baseUrl: contract.servers[0].url, createClient, keyHeader })),
  );
  render(document, page);
  const html = readFileSync(`${here}${page}`, "utf8");
  writeFileSync(`${here}${page}`, html.replace(/https:\/\/cdn\.redoc\.ly\/redoc\/logo-mini(-full)?\.svg/g, BADGE));
}

const pages = fileURLToPath(new URL("../../docs/", import.meta.url));
const consoleDocument = JSON.parse(readFileSync(fileURLToPath(import.meta.resolve("@gatehouse/contract/console.json")), "utf8"));
for (const file of readdirSync(pages, { recursive: true })) {
  // Decisions are for people who change the server.
  if (!/^(?!decisions|index).*\.md$/.test(file)) continue;
  const text = readFileSync(`${pages}${file}`, "utf8");
  writeFileSync(
    `${here}dist/${file}`,
    text.replace("<!-- permissions -->", () => permissionTable(consoleDocument, permissions)),
  );
}

/** The tool's output is shown only when it fails. */
function render(document, page) {
  try {
    execFileSync(process.execPath, [redocly, "build-docs", document, "--inlineBundle", "--config", "redocly.yaml", "--output", page], {
      cwd: here,
      env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
      stdio: ["ignore", "pipe", "pipe"],
    });
  } catch ({ stdout, stderr }) {
    process.stderr.write(`${stdout}${stderr}`);
    process.exit(1);
  }
}
