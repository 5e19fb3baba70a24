import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import type * as app from "../react-native/app.ts";

const path = (file: string) => fileURLToPath(new URL(`../react-native/${file}`, import.meta.url));

/** The app in `react-native/`, bundled with the parts of a phone that it needs. */
export async function reactNativeApp(): Promise<typeof app> {
  const outfile = join(tmpdir(), `gatehouse-react-native-${process.pid}.mjs`);
  const { outputFiles } = await build({
    entryPoints: [path("app.ts")],
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    alias: { "react-native": path("react-native.ts"), "@react-native-async-storage/async-storage": path("async-storage.ts") },
  });
  await writeFile(outfile, outputFiles[0]?.text ?? "");
  return import(pathToFileURL(outfile).href);
}
