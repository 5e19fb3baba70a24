// Makes the migrated database that a first start of the embedded database begins with: a part of the build.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { PGlite } from "@electric-sql/pglite";
import { migrate } from "../dist/store/database/migrate.js";
import { TAR_END, tarHeader, tarPadding } from "../dist/store/database/tar.js";

const folder = mkdtempSync(join(tmpdir(), "gatehouse-new-database-"));
try {
  const pglite = await PGlite.create(folder);
  const session = {
    script: (sql) => pglite.exec(sql),
    query: async (text, values) => (await pglite.query(text, values)).rows,
  };
  await migrate({ withSession: (work) => work(session) });
  await pglite.close();
  const parts = readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(folder.length + 1).replaceAll("\\", "/");
    if (entry.isDirectory()) return [tarHeader(name, "folder", 0)];
    const data = readFileSync(path);
    return [tarHeader(name, "file", data.length), data, tarPadding(data.length)];
  });
  const tar = Buffer.concat([...parts, TAR_END]);
  writeFileSync(new URL("../dist/store/database/new-database.tar.gz", import.meta.url), gzipSync(tar, { level: 9 }));
} finally {
  rmSync(folder, { recursive: true });
}
