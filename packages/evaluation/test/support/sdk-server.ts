import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import type { RulesetV1, RulesetV2 } from "../../src/index.ts";

/** The downloads of SDKs. */
export type Served = {
  v1: RulesetV1;
  v2: RulesetV2;
  /** The 8-character hashes of each id list, by the list's name. */
  idLists?: Record<string, string[]>;
};

/** Answers SDKs as a feature-management server does: a ruleset in both shapes, its id lists, and 202 to their events. */
export async function serveRuleset(served: Served): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  server.on("request", answer(served, url));
  const close = () => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return { url, close };
}

function answer({ v1, v2, idLists = {} }: Served, url: string): RequestListener {
  const files = new Map(Object.entries(idLists).map(([name, hashes]) => [name, hashes.map((hash) => `+${hash}\n`).join("")]));
  const manifest = Object.fromEntries(
    Array.from(files, ([name, file]) => [
      name,
      { name, size: file.length, url: `${url}/lists/${encodeURIComponent(name)}`, creationTime: 1, fileID: `file ${name}` },
    ]),
  );
  const bodyAt = (path: string): string => {
    if (path.startsWith("/v1/download_config_specs")) return JSON.stringify(v1);
    if (path.startsWith("/v2/download_config_specs")) return JSON.stringify(v2);
    if (path.startsWith("/v1/get_id_lists")) return JSON.stringify(manifest);
    if (path.startsWith("/lists/")) return files.get(decodeURIComponent(path.slice("/lists/".length))) ?? "";
    return JSON.stringify({ success: true });
  };
  return (request, response) => {
    request.resume();
    const body = bodyAt(request.url ?? "");
    // SDKs read no id list without its length.
    response.writeHead(200, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) }).end(body);
  };
}
