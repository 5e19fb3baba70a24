// A release of an entity that a version starts, moves on or ends, as a sentence. Pure.
import type { Change } from "./change.ts";
import { equal } from "./equal.ts";
import { listed, type Part, subject, text } from "./parts.ts";
import type { Gate, Rule } from "./types.ts";

type Active = NonNullable<Gate["activeRelease"]>;
type Released = { activeRelease?: Active; rules: readonly Rule[]; defaultValue?: object };

/** What happened to the release between two versions. Empty without any. */
export function releaseChanges(before: Released, after: Released): Change[] {
  const words = sentence(before, after);
  return words === undefined ? [] : [{ kind: "changed", field: "activeRelease", parts: words }];
}

function sentence(before: Released, after: Released): Part[] | undefined {
  const [old, now] = [before.activeRelease, after.activeRelease];
  if (equal(old, now)) return undefined;
  if (now === undefined) return old && [text(isTakenBack(old, after) ? "Release aborted" : "Release completed: everyone gets the change")];
  if (old?.releaseID !== now.releaseID) return [text("Release started"), ...reach(now.rules)];
  const known = new Set(old.rules.map(({ id }) => id));
  const added = now.rules.filter(({ id }) => !known.has(id));
  return added.length === 0 ? [text("Release: next phase began")] : [text("Release: next phase began"), ...reach(added)];
}

/** The rules of the phases that begin. */
const reach = (rules: Active["rules"]): Part[] =>
  rules.length === 0 ? [] : [text("for"), subject(listed(rules.map(({ name }) => `“${name}”`)))];

/** Whether an entity has again what it had before a release. */
function isTakenBack({ before }: Active, after: Released): boolean {
  return equal(before.rules, after.rules) && equal(before.defaultValue ?? {}, after.defaultValue ?? {});
}
