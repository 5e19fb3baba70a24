// Generates a module of uap-core's patterns (Apache-2.0) for browsers and operating systems, so that no YAML is parsed at run time.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { parse } from "yaml";

const source = readFileSync(createRequire(import.meta.url).resolve("uap-core/regexes.yaml"), "utf8");
const { user_agent_parsers, os_parsers } = parse(source);

const browsers = user_agent_parsers.map(({ regex, family_replacement, v1_replacement, v2_replacement, v3_replacement }) =>
  row(regex, family_replacement, v1_replacement, v2_replacement, v3_replacement),
);
const systems = os_parsers.map(({ regex, os_replacement, os_v1_replacement, os_v2_replacement, os_v3_replacement, os_v4_replacement }) =>
  row(regex, os_replacement, os_v1_replacement, os_v2_replacement, os_v3_replacement, os_v4_replacement),
);

const folder = new URL("../src/generated/", import.meta.url);
mkdirSync(folder, { recursive: true });
writeFileSync(
  new URL("user-agent-patterns.ts", folder),
  `// Generated from uap-core, whose licence is Apache-2.0.
/** A regular expression, then what replaces its groups: the name, and up to four parts of the version. */
export type Pattern = readonly [regex: string, ...replacements: (string | null)[]];

${list("BROWSERS", browsers)}
${list("OPERATING_SYSTEMS", systems)}`,
);

function row(...cells) {
  while (cells.at(-1) === undefined) cells.pop();
  return cells.map((cell) => cell ?? null);
}

function list(name, rows) {
  return `export const ${name}: readonly Pattern[] = [\n${rows.map((cells) => `  ${JSON.stringify(cells)},\n`).join("")}];\n`;
}
