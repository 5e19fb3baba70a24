// Prisma's own schema engine as WebAssembly, in process: the CLI's native one is a download.
import { readdirSync, readFileSync } from "node:fs";
import { PGlite } from "@electric-sql/pglite";
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";
import { PrismaPGlite } from "pglite-prisma-adapter";

const PRISMA = new URL("../prisma/", import.meta.url);

/** The SQL that leads from the migrations to prisma/schema/. Empty when the two agree. */
export async function schemaDifference() {
  const files = schemaFiles();
  const pglite = await PGlite.create();
  for (const sql of migrations()) await pglite.exec(sql);
  const adapter = new PrismaPGlite(pglite);
  const engine = await startEngine(files, { ...adapter, connect: () => adapter.connect(), connectToShadowDb: () => adapter.connect() });
  const { stdout } = await engine.diff({
    from: { tag: "schemaDatasource", files, configDir: "." },
    to: { tag: "schemaDatamodel", files },
    script: true,
    shadowDatabaseUrl: null,
    exitCode: null,
    filters: { externalTables: [], externalEnums: [] },
  });
  await pglite.close();
  return stdout.includes("This is an empty migration") ? "" : stdout;
}

function schemaFiles() {
  const folder = new URL("schema/", PRISMA);
  return readdirSync(folder)
    .sort()
    .map((path) => ({ path, content: readFileSync(new URL(path, folder), "utf8") }));
}

function migrations() {
  return readdirSync(new URL("migrations/", PRISMA), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
    .map((name) => readFileSync(new URL(`migrations/${name}/migration.sql`, PRISMA), "utf8"));
}

async function startEngine(files, adapterFactory) {
  const glue = await import("@prisma/schema-engine-wasm/schema_engine_bg");
  const wasm = readFileSync(new URL("schema_engine_bg.wasm", import.meta.resolve("@prisma/schema-engine-wasm")));
  const { instance } = await WebAssembly.instantiate(wasm, { "./schema_engine_bg.js": glue });
  glue.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  const adapter = bindMigrationAwareSqlAdapterFactory(adapterFactory);
  return glue.SchemaEngine.new({ datamodels: files.map(({ path, content }) => [path, content]) }, () => {}, adapter);
}
