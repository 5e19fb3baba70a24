import { type Condition, type Flag, type Imported, mergeEnvironments, type Note, type Report, toConfiguration, toID } from "./flags.ts";
import { type Environment, type Prerequisite, rulesIn, type Variations } from "./launchdarkly-rules.ts";
import { importSegments, type LaunchDarklySegments, withID } from "./launchdarkly-segments.ts";

type LaunchDarklyFlag = {
  key: string;
  name?: string;
  description?: string;
  kind?: string;
  temporary?: boolean;
  archived?: boolean;
  tags?: string[];
  variations?: Variations;
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
  const toCondition = prerequisitesOf(current);
  const flags = current.map((flag) => withSegmentIDs(toFlag(flag, toCondition, report), ids));
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

const isOnOrOff = ({ kind, variations = [] }: LaunchDarklyFlag) =>
  kind === "boolean" || variations.every(({ value }) => typeof value === "boolean");

/** Conditions for prerequisites: that another flag, which is on or off, is on. */
function prerequisitesOf(flags: readonly LaunchDarklyFlag[]) {
  const taken = new Set<string>();
  const known = new Map(flags.map((flag) => [flag.key, { flag, id: toID(flag.key, taken, () => {}) }]));
  return ({ key, variation }: Prerequisite): Condition | undefined => {
    const { flag, id } = known.get(key) ?? {};
    if (!flag || variation === undefined || !isOnOrOff(flag) || flag.variations?.[variation]?.value !== true) return undefined;
    return { type: "passes_gate", targetValue: id };
  };
}

function toFlag(flag: LaunchDarklyFlag, toCondition: ReturnType<typeof prerequisitesOf>, report: Report): Flag {
  const { key, name, description, temporary, tags, variations = [], environments = {} } = flag;
  const places = Object.entries(environments);
  const isBoolean = isOnOrOff(flag);
  const offs = new Set(places.flatMap(([, { offVariation }]) => (offVariation === undefined ? [] : [offVariation])));
  if (offs.size > 1) report(key, "has different values where it is off. Gatehouse returns one default in all environments.");
  const [off] = offs;
  const offValue = off === undefined ? (isBoolean ? false : variations[0]?.value) : variations[off]?.value;
  if (isBoolean && offValue === true) report(key, "is true where it is off. A disabled gate fails everyone.");
  const defaultValue = isBoolean ? false : offValue;
  const given = { key, variations, isBoolean, defaultValue, toCondition, report };
  return {
    ...{ key, name, description, tags, isPermanent: temporary === false, isBoolean },
    ...{ defaultValue, isEnabled: true },
    disabledEnvironments: places.filter(([, { on }]) => on !== true).map(([place]) => place),
    rules: mergeEnvironments(places.map(([place, environment]) => [place, rulesIn(place, environment, given)])),
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
