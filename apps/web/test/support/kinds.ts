// The register of the data that tests need from each kind with a page.
import { type EntityType, hasPage, kinds, type PagedType } from "../../src/kinds/kinds.ts";
import type { KindTest } from "./kind.ts";
import { NIGHT } from "./night.ts";

export const PAGED_TYPES = (Object.keys(kinds) as EntityType[]).filter(hasPage);

/** The kinds that stand for the others by day. */
const BY_DAY: readonly PagedType[] = ["gate", "experiment", "segment"];

/** The tag of a kind's test: by night, every kind has it. */
export const dayOrNight = (type: PagedType) => (BY_DAY.includes(type) ? {} : { tag: NIGHT });

/** A kind without its file in `test/kinds/` fails every test that imports this one. */
async function load(type: PagedType): Promise<KindTest> {
  const file = `../kinds/${type.replaceAll("_", "-")}.ts`;
  return ((await import(file)) as { default: KindTest }).default;
}

export const kindTests = Object.fromEntries(
  await Promise.all(PAGED_TYPES.map(async (type) => [type, await load(type)] as const)),
) as Readonly<Record<PagedType, KindTest>>;
