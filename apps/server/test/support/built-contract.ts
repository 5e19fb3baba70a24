import { isDeepStrictEqual } from "node:util";

const MODULES = ["console-descriptions", "console-entity-types", "console-permissions", "evaluation-descriptions", "scim-descriptions"];

/**
 * Refuses to test with a build of the contract that is older than the files generated from `spec/`.
 * @throws Error
 */
export default async function requireBuiltContract(): Promise<void> {
  for (const name of MODULES) {
    const [generated, built] = await Promise.all([`src/generated/${name}.ts`, `dist/generated/${name}.js`].map(load));
    if (!isDeepStrictEqual(generated, built))
      throw new Error("The built contract is older than the generated one. Run npx --yes pnpm@12 build.");
  }
}

async function load(file: string): Promise<object> {
  const { href } = new URL(`../../../../packages/contract/${file}`, import.meta.url);
  return { ...((await import(/* @vite-ignore */ href)) as object) };
}
