import {
  type Condition,
  condition,
  EVERYONE,
  type Flag,
  type FlagRule,
  type Imported,
  mergeEnvironments,
  type Note,
  type Report,
  type Share,
  toConfiguration,
} from "./flags.ts";
import { type Clause, toCondition } from "./launchdarkly-clauses.ts";
import { importSegments, type LaunchDarklySegments, withID } from "./launchdarkly-segments.ts";

type Outcome = { variation?: number; rollout?: { variations?: { variation: number; weight: number }[]; bucketBy?: string } };
type Environment = {
  on?: boolean;
  targets?: { values: string[]; variation: number; contextKind?: string }[];
  contextTargets?: { values: string[]; variation: number; contextKind?: string }[];
  rules?: (Outcome & { description?: string; clauses?: Clause[] })[];
  fallthrough?: Outcome;
  offVariation?: number;
  prerequisites?: { key: string }[];
};
type LaunchDarklyFlag = {
  key: string;
  name?: string;
  description?: string;
  kind?: string;
  temporary?: boolean;
  archived?: boolean;
  tags?: string[];
  variations?: { value: unknown; name?: string }[];
  environments?: { [key: string]: Environment };
};

type Export = { items?: LaunchDarklyFlag[]; segments?: LaunchDarklySegments };

/**
 * Reads flags of LaunchDarkly: the response of its API's `flags` with `summary=0`, or one flag. The response can have the segments of each environment
 * beside its flags, in `segments`.
 */
export function importLaunchDarkly(given: unknown): Imported {
  const { items = [given as LaunchDarklyFlag], segments: all } = given as Export;
  const notes: Note[] = [];
  const report: Report = (flag, message) => notes.push({ flag, message });
  const current = items.filter(({ archived }) => !archived);
  const matched = segmentsIn(current);
  const { segments, imported, ids } = importSegments(all ?? {}, matched.keys(), report);
  const flags = current.map((flag) => withSegmentIDs(toFlag(flag, report), ids));
  const reason = all ? "" : ", because flags have only its key";
  for (const [segment, users] of matched) {
    if (imported.has(segment)) continue;
    const id = ids.get(segment);
    const withItsID = id === segment ? "" : ` with the ID ${id}`;
    report(
      segment,
      `is a segment that was not imported${reason}. Create it${withItsID} before you apply the files. Used by: ${users.join(", ")}.`,
    );
  }
  return { configuration: { ...(segments.length > 0 && { segments }), ...toConfiguration(flags, report) }, notes };
}

function withSegmentIDs(flag: Flag, ids: ReadonlyMap<string, string>): Flag {
  return { ...flag, rules: flag.rules.map((rule) => ({ ...rule, conditions: rule.conditions.map((one) => withID(one, ids)) })) };
}

function toFlag(flag: LaunchDarklyFlag, report: Report): Flag {
  const { key, name, description, kind, temporary, tags, variations = [], environments = {} } = flag;
  const places = Object.entries(environments);
  const isBoolean = kind === "boolean" || variations.every(({ value }) => typeof value === "boolean");
  const offs = new Set(places.flatMap(([, { offVariation }]) => (offVariation === undefined ? [] : [offVariation])));
  if (offs.size > 1) report(key, "has different values where it is off. Gatehouse returns one default in all environments.");
  const [off] = offs;
  const defaultValue = off === undefined ? (isBoolean ? false : variations[0]?.value) : variations[off]?.value;
  if (isBoolean && defaultValue === true) report(key, "is true where it is off. A disabled gate fails everyone.");
  const toShares = sharesOf(key, variations, report);
  return {
    ...{ key, name, description, tags, isPermanent: temporary === false, isBoolean },
    ...{ defaultValue: isBoolean ? false : defaultValue, isEnabled: true },
    disabledEnvironments: places.filter(([, { on }]) => on === false).map(([place]) => place),
    rules: mergeEnvironments(places.map(([place, environment]) => [place, rulesIn(place, environment, { key, toShares, report })])),
  };
}

/** The segments that rules of flags match, with the keys of these flags. */
function segmentsIn(flags: readonly LaunchDarklyFlag[]): Map<string, string[]> {
  const users = new Map<string, Set<string>>();
  for (const { key, environments = {} } of flags)
    for (const { rules = [] } of Object.values(environments))
      for (const { op, values = [] } of rules.flatMap(({ clauses = [] }) => clauses))
        if (op === "segmentMatch") for (const segment of values.map(String)) users.set(segment, (users.get(segment) ?? new Set()).add(key));
  return new Map(Array.from(users, ([segment, keys]) => [segment, [...keys]]));
}

type Given = { key: string; toShares(outcome: Outcome): Share[]; report: Report };

function rulesIn(place: string, environment: Environment, { key, toShares, report }: Given): FlagRule[] {
  const { targets = [], contextTargets = [], rules = [], fallthrough = {}, prerequisites = [] } = environment;
  for (const { key: other } of prerequisites)
    report(key, `has the prerequisite ${other} in ${place}. Add a condition \`passes_gate\` for it.`);
  const targeted = targets
    .filter(({ values }) => values.length > 0)
    .map(({ values, variation }) => ({
      ...{ name: `Targets of variation ${variation}`, conditions: [condition("key", "any_case_sensitive", values)] },
      shares: toShares({ variation }),
    }));
  const others = contextTargets.find(({ contextKind, values }) => contextKind !== undefined && contextKind !== "user" && values.length > 0);
  if (others) report(key, `targets contexts of the kind ${others.contextKind} in ${place}, which was left out.`);
  const own = rules.flatMap(({ description, clauses = [], ...outcome }): FlagRule[] => {
    const conditions = clauses.map(toCondition);
    const at = conditions.indexOf(undefined);
    if (at >= 0) {
      const { attribute = "", op = "" } = clauses[at] ?? {};
      report(key, `has a rule in ${place} that was left out: ${[attribute, op].filter(Boolean).join(" ")} cannot be expressed.`);
      return [];
    }
    return [{ name: description || "Rule", conditions: conditions as Condition[], shares: toShares(outcome) }];
  });
  return [...targeted, ...own, { name: "Everyone else", conditions: [EVERYONE], shares: toShares(fallthrough) }];
}

/** Weights are thousandths of a percent. */
function sharesOf(key: string, variations: { value: unknown; name?: string }[], report: Report) {
  return ({ variation, rollout }: Outcome): Share[] => {
    const toShare = (index: number, percentage: number) => ({
      name: variations[index]?.name ?? `Variation ${index}`,
      percentage,
      value: variations[index]?.value,
    });
    if (variation !== undefined) return [toShare(variation, 100)];
    const parts = rollout?.variations ?? [];
    if (parts.length > 0) report(key, "has a percentage rollout. Gatehouse divides users again, so some users get another value.");
    if (rollout?.bucketBy && rollout.bucketBy !== "key") report(key, `divides users by ${rollout.bucketBy}. Set the unit ID type.`);
    return parts.map(({ variation: index, weight }) => toShare(index, weight / 1000));
  };
}
