import type { Configuration, Entity } from "../files/documents.ts";

/** Something that could not be carried over as it was, or that works differently. */
export type Note = { flag: string; message: string };

export type Imported = { configuration: Configuration; notes: Note[] };

export type Condition = { type: string; operator?: string; targetValue?: unknown; field?: string };

/** A share of the users that match a rule, and their value. Shares are in percent. */
export type Share = { name: string; percentage: number; value: unknown };

/** A rule of another system: users that match all conditions get one of the values. Users in no share get the default. */
export type FlagRule = { name: string; conditions: Condition[]; environments?: string[] | undefined; shares: Share[] };

/** A flag of another system. */
export type Flag = {
  key: string;
  name?: string | undefined;
  description?: string | undefined;
  tags?: string[] | undefined;
  isPermanent?: boolean | undefined;
  isEnabled: boolean;
  disabledEnvironments?: string[] | undefined;
  isBoolean: boolean;
  /** The value of users that match no rule. */
  defaultValue: unknown;
  rules: FlagRule[];
};

/** Collects what could not be carried over. */
export type Report = (flag: string, message: string) => void;

export const EVERYONE: Condition = { type: "public" };

/** Flags as gates, if they are on or off, and as dynamic configs, if they have other values. */
export function toConfiguration(flags: readonly Flag[], report: Report): Configuration {
  const taken = new Set<string>();
  const named = flags.map((flag) => ({ flag, id: toID(flag.key, taken, report) }));
  const gates = named.filter(({ flag }) => flag.isBoolean).map(({ flag, id }) => toGate(flag, id, report));
  const dynamicConfigs = named.filter(({ flag }) => !flag.isBoolean).map(({ flag, id }) => toConfig(flag, id, report));
  return { ...(gates.length > 0 && { gates }), ...(dynamicConfigs.length > 0 && { dynamicConfigs }) };
}

/** An ID that Gatehouse accepts. */
export function toID(key: string, taken: Set<string>, report: Report): string {
  const allowed = key
    .replaceAll(/[^a-zA-Z0-9_\-.]/g, "_")
    .slice(0, 96)
    .padEnd(3, "_");
  let id = allowed;
  for (let count = 2; taken.has(id.toLowerCase()); count++) id = `${allowed}_${count}`;
  taken.add(id.toLowerCase());
  if (id !== key)
    report(key, `is ${id} in Gatehouse, because IDs have only letters, digits, underscores, hyphens, and periods. Change it in your code.`);
  return id;
}

/** A name that Gatehouse accepts for all kinds but gates: of printable characters. */
export function toName(name: string): string {
  const printable = name.trim().replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, "_");
  return Array.from(printable).slice(0, 100).join("").padEnd(3, "_");
}

function common(flag: Flag, id: string): Entity {
  const own = toName(flag.name ?? flag.key);
  const name = flag.isBoolean ? own.replaceAll(/[^a-zA-Z0-9_\-. ]/gu, "_") : own;
  const { description, tags = [], disabledEnvironments = [] } = flag;
  return {
    id,
    name,
    ...(description && { description: description.slice(0, 1000) }),
    idType: "userID",
    isEnabled: flag.isEnabled,
    ...(tags.length > 0 && { tags }),
    ...(disabledEnvironments.length > 0 && { disabledEnvironments }),
  };
}

function toGate(flag: Flag, id: string, report: Report): Entity {
  const rules = flag.rules.map((rule, index) => ({ ...toRule(rule, index, flag.rules), passPercentage: passing(rule, flag, report) }));
  const isOn = flag.defaultValue === true;
  const everyone = { id: "everyone_else", name: "Everyone else", passPercentage: 100, conditions: [EVERYONE] };
  return { ...common(flag, id), type: flag.isPermanent ? "PERMANENT" : "TEMPORARY", rules: isOn ? [...rules, everyone] : rules };
}

/** The percentage of matching users that a gate's rule passes. */
function passing({ name, shares }: FlagRule, { key, defaultValue }: Flag, report: Report): number {
  const on = shares.filter(({ value }) => value === true).reduce((sum, { percentage }) => sum + percentage, 0);
  const left = 100 - shares.reduce((sum, { percentage }) => sum + percentage, 0);
  if (left > 0.01 && defaultValue === true) report(key, `passes the users outside the rollout of the rule ${name}, as its default does.`);
  return roundedDown(defaultValue === true ? on + Math.max(0, left) : on);
}

/** So that no rule passes more users than in the other system. */
const roundedDown = (percentage: number): number => Math.floor(Math.min(100, Math.max(0, percentage)) * 100 + 1e-6) / 100;

const rounded = (percentage: number): number => Math.round(Math.min(100, Math.max(0, percentage)) * 100) / 100;

function toConfig(flag: Flag, id: string, report: Report): Entity {
  const isWrapped = [flag.defaultValue, ...flag.rules.flatMap(({ shares }) => shares.map(({ value }) => value))].some(
    (value) => !isObject(value),
  );
  if (isWrapped) report(flag.key, "has its value in the parameter `value`, because dynamic configs are objects.");
  const wrap = (value: unknown) => (isWrapped ? { value: value ?? null } : value);
  const rules = flag.rules.map((rule, index) => {
    const total = rule.shares.reduce((sum, { percentage }) => sum + percentage, 0);
    const passPercentage = roundedDown(total);
    const [first, ...others] = rule.shares.filter(({ percentage }) => percentage > 0);
    const base = { ...toRule(rule, index, flag.rules), passPercentage };
    if (!first) return { ...base, returnValue: wrap(flag.defaultValue) };
    if (others.length === 0) return { ...base, returnValue: wrap(first.value) };
    return { ...base, variants: toVariants([first, ...others], total).map(({ value, ...one }) => ({ ...one, returnValue: wrap(value) })) };
  });
  return { ...common(flag, id), defaultValue: wrap(flag.defaultValue), rules };
}

/** The shares as variants, whose percentages add up to exactly 100. */
function toVariants(shares: readonly Share[], total: number) {
  const percentages = shares.map(({ percentage }) => rounded((percentage / total) * 100));
  const rest = 100 - percentages.slice(0, -1).reduce((sum, one) => sum + one, 0);
  return shares.map(({ name, value }, index) => ({
    ...{ id: `variant_${index + 1}`, name: `${index + 1} ${name}`.slice(0, 100) },
    passPercentage: index === shares.length - 1 ? rounded(rest) : (percentages[index] ?? 0),
    value,
  }));
}

/** Names of rules are unique. */
function toRule({ name, conditions, environments }: FlagRule, index: number, all: readonly FlagRule[]) {
  const isUnique = all.filter((one) => one.name === name).length === 1;
  return {
    id: `rule_${index + 1}`,
    name: (isUnique ? name : `${name} ${index + 1}`).slice(0, 100),
    conditions: conditions.length > 0 ? conditions : [EVERYONE],
    ...(environments && { environments }),
  };
}

type RuleOfEnvironment = Omit<FlagRule, "environments">;

/** The rules of several environments as one list. Each environment keeps its order, and rules that follow each other in the same way become one. */
export function mergeEnvironments(lists: readonly (readonly [environment: string, rules: readonly RuleOfEnvironment[]])[]): FlagRule[] {
  const merged: { key: string; rule: RuleOfEnvironment; environments: string[] }[] = [];
  for (const [environment, rules] of lists) {
    let position = 0;
    for (const rule of rules) {
      const key = JSON.stringify(rule);
      const at = merged.findIndex((one, index) => index >= position && one.key === key);
      if (at >= 0) merged[at]?.environments.push(environment);
      else merged.splice(position, 0, { key, rule, environments: [environment] });
      position = (at >= 0 ? at : position) + 1;
    }
  }
  return merged.map(({ rule, environments }) => ({ ...rule, environments }));
}

export function isObject(value: unknown): value is { [name: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const SUBJECTS: { [attribute: string]: string } = {
  userid: "user_id",
  user_id: "user_id",
  targetingkey: "user_id",
  key: "user_id",
  id: "user_id",
  email: "email",
  country: "country",
  locale: "locale",
  ip: "ip_address",
  ipaddress: "ip_address",
  remoteaddress: "ip_address",
  useragent: "user_agent",
  appversion: "app_version",
};

/** A condition on an attribute of the user. Attributes that Gatehouse does not know are custom fields. */
export function condition(attribute: string, operator: string, targetValue?: unknown): Condition {
  const type = SUBJECTS[attribute.toLowerCase()];
  const operand = { operator, ...(targetValue !== undefined && { targetValue }) };
  return type === undefined ? { type: "custom_field", field: attribute, ...operand } : { type, ...operand };
}
