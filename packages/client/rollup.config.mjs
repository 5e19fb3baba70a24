import { readFileSync } from "node:fs";
import { nodeResolve } from "@rollup/plugin-node-resolve";
import { dts } from "rollup-plugin-dts";

const { version } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));
const writeVersion = {
  name: "version",
  renderChunk: (code) => code.replace('VERSION = "development"', `VERSION = ${JSON.stringify(version)}`),
};

// The contract's types and route tables are bundled, so that the package depends only on openapi-fetch.
const external = ["openapi-fetch"];

export default [
  { input: "build/index.js", external, plugins: [nodeResolve(), writeVersion], output: { file: "dist/index.js", format: "es" } },
  {
    input: "build/index.d.ts",
    external,
    plugins: [dts({ respectExternal: true, tsconfig: "tsconfig.json" })],
    output: { file: "dist/index.d.ts", format: "es" },
  },
];
