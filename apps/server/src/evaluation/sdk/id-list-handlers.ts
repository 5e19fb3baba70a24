import { AppError, notFound } from "../../common/errors.ts";
import type { EvaluationEnv, EvaluationHandlers } from "../binding.ts";
import { type ByteRange, idListPath, readRange } from "./id-list-file.ts";

/** A file is read in chunks of this size. */
const READ_CHUNK_BYTES = 2 ** 20;

export const idListHandlers = {
  async listIDLists({ baseUrl, tokenFor, ...env }) {
    const files = await listFiles(env);
    const lists = files.map(({ name, fileID, size, creationTime }) => {
      const path = idListPath(name, fileID);
      return [name, { name, size, url: `${baseUrl}${path}?token=${tokenFor(path)}`, creationTime, fileID }];
    });
    return { status: 200, body: Object.fromEntries(lists) };
  },

  async getIDListFile({ path, headers, ...env }) {
    const file = (await listFiles(env)).find(({ name, fileID }) => name === path.name && fileID === path.fileID);
    if (!file) throw notFound("File", `${path.fileID} of the list ${path.name}`);
    const range = readRange(headers.range, file.size);
    if (range && range.first >= range.end) throw new AppError("range_not_satisfiable", `The file has ${file.size} bytes.`);
    const chunks = read(env, path.name, range ?? { first: 0, end: file.size });
    if (!range) return { status: 200, length: file.size, chunks };
    const contentRange = `bytes ${range.first}-${range.end - 1}/${file.size}`;
    return { status: 206, length: range.end - range.first, chunks, headers: { "Content-Range": contentRange } };
  },
} satisfies Partial<EvaluationHandlers>;

/** The files of the id lists that the caller's ruleset references. */
async function listFiles({ caller, rulesets, idListFiles }: Pick<EvaluationEnv, "caller" | "rulesets" | "idListFiles">) {
  const { projectID, scope } = caller.credentials;
  const { ruleset } = await rulesets.view(projectID, scope);
  const names = [...ruleset.idLists];
  return names.length === 0 ? [] : idListFiles.files(names);
}

async function* read({ idListFiles }: Pick<EvaluationEnv, "idListFiles">, name: string, { first, end }: ByteRange): AsyncGenerator<Buffer> {
  let from = first;
  while (from < end) {
    const chunk = await idListFiles.readFile(name, from, Math.min(end, from + READ_CHUNK_BYTES));
    // The list has been reset, and has another file now.
    if (chunk.length === 0) throw new Error(`The file of the list ${name} ended at byte ${from} of ${end}.`);
    yield chunk;
    from += chunk.length;
  }
}
