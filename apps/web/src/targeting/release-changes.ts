// A release of an entity that a version starts, moves on or ends, as a sentence. Pure.
import { listed } from "../ui/list-text.ts";
import type { Change } from "./change.ts";
import { equal } from "./equal.ts";
import type { KnownNames } from "./field-words.ts";
import { type Part, subject, text } from "./parts.ts";
import type { Gate, Rule } from "./types.ts";

type Active = NonNullable<Gate["activeRelease"]>;
type Released = { activeRelease?: Active; rules: readonly Rule[]; defaultValue?: object };

/** What happened to the release between two versions. Empty without any. @param names of phases, by the ids of their rules */
export function releaseChanges(before: Released, after: Released, names: KnownNames = {}): Change[] {
  const words = sentence(before, after, names);
  return words === undefined ? [] : [{ kind: "changed", field: "activeRelease", parts: words }];
}

function sentence(before: Released, after: Released, names: KnownNames): Part[] | undefined {
  const [old, now] = [before.activeRelease, after.activeRelease];
  if (equal(old, now)) return undefined;
  if (now === undefined)
    return (
      old && [
        text(
          isTakenBack(old, after) ? "Release aborted: everyone gets what they had before" : "Release completed: everyone gets the change",
        ),
      ]
    );
  if (old?.releaseID !== now.releaseID) return [text("Release started"), ...phaseParts(now.rules, names)];
  const known = new Set(old.rules.map(({ id }) => id));
  const added = now.rules.filter(({ id }) => !known.has(id));
  if (added.length > 0) return [text("Release"), ...phaseParts(added, names)];
  if (now.currentPhase === undefined || now.currentPhase === old.currentPhase) return [text("Release moved on")];
  return [text("Release moved on to phase"), subject(`“${now.currentPhase}”`)];
}

/** The phases that begin, or their rules if the names of phases are not known. */
function phaseParts(rules: Active["rules"], names: KnownNames): Part[] {
  if (rules.length === 0) return [];
  const phases = [...new Set(rules.map(({ id = "" }) => names[id]))];
  const isKnown = phases.every((name) => name !== undefined);
  const shown = listed((isKnown ? phases : rules.map(({ name }) => name)).map((name) => `“${name}”`));
  const noun = isKnown ? (phases.length === 1 ? "phase" : "phases") : "a phase with the rules";
  return [text(":"), text(noun), subject(shown), text("began")];
}

/** Whether an entity has again what it had before a release. */
function isTakenBack({ before }: Active, after: Released): boolean {
  return equal(before.rules, after.rules) && equal(before.defaultValue ?? {}, after.defaultValue ?? {});
}
