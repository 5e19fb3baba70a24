import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Plugin } from "vite";

/** Compression does not shrink text files that are shorter than this. */
const MIN_BYTES = 1_000;

/** Writes a `.br` and a `.gz` file beside each asset, so that the server does not have to compress. */
export function precompress(): Plugin {
  return {
    name: "gatehouse:precompress",
    apply: "build",
    writeBundle({ dir }) {
      const folder = join(dir ?? "dist", "assets");
      for (const name of readdirSync(folder).filter((one) => /\.(js|css|svg)$/.test(one))) {
        const file = join(folder, name);
        const bytes = readFileSync(file);
        if (bytes.length < MIN_BYTES) continue;
        writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }));
        writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
      }
    },
  };
}
