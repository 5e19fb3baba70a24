import { nodeResolve } from "@rollup/plugin-node-resolve";
import { dts } from "rollup-plugin-dts";

// The contract's types and route tables are bundled, so that the package depends only on openapi-fetch.
const external = ["openapi-fetch"];

export default [
  { input: "build/index.js", external, plugins: [nodeResolve()], output: { file: "dist/index.js", format: "es" } },
  {
    input: "build/index.d.ts",
    external,
    plugins: [dts({ respectExternal: true, tsconfig: "tsconfig.json" })],
    output: { file: "dist/index.d.ts", format: "es" },
  },
];
