import { setImmediate } from "node:timers/promises";
import type { Schema } from "@gatehouse/contract/console";
import type { Evaluator, User } from "@gatehouse/evaluation";
import type { Changed, Flag } from "./changed-flags.ts";
import { createFlagValues, type FlagValue, isSameIn, shown } from "./flag-value.ts";
import type { UserGroup } from "./user-groups.ts";

type EnvironmentImpact = Schema<"EnvironmentImpact">;

/** The most transitions and examples of an environment that are answered, as the contract says. */
const MAX_TRANSITIONS = 250;
const MAX_EXAMPLES = 10;
/** After this long, waiting requests get their turn, ms. */
const TURN_MS = 10;

/** The most characters of values that are computed again for each user, as of param stores. Further users are not evaluated then. */
const MAX_COMPUTED_LENGTH = 2 ** 25;

type Transition = { flag: Flag; from: FlagValue; to: FlagValue; count: number; user: User };

/** Evaluates flags for the users of each environment before and after a change. */
export async function impactOn(groups: UserGroup[], changed: Changed, before: Evaluator, after: Evaluator): Promise<EnvironmentImpact[]> {
  const impacts: EnvironmentImpact[] = [];
  for (const { environment, users } of groups) {
    const compared = await compare(users, changed, before, after);
    const frequent = compared.transitions.sort((a, b) => b.count - a.count).slice(0, MAX_TRANSITIONS);
    impacts.push({
      environment,
      users: compared.users,
      changed: compared.changed,
      transitions: frequent.map(({ flag, from, to, count }) => ({ ...toFlagID(flag), from: shown(from), to: shown(to), count })),
      examples: frequent
        .slice(0, MAX_EXAMPLES)
        .map(({ user, flag, from, to }) => ({ user: toPreviewUser(user), ...toFlagID(flag), before: shown(from), after: shown(to) })),
    });
  }
  return impacts;
}

type ChangeCounts = { users: number; changed: number; transitions: Transition[] };

async function compare(users: User[], { flags, roots }: Changed, before: Evaluator, after: Evaluator): Promise<ChangeCounts> {
  const counter = createTransitionCounter();
  const values = createFlagValues();
  let [evaluated, changed] = [0, 0];
  let turnEnds = performance.now() + TURN_MS;
  for (const user of users) {
    if (values.computedLength() > MAX_COMPUTED_LENGTH) break;
    evaluated += 1;
    const [own, other] = [before.decisionsFor(user), after.decisionsFor(user)];
    const mayDiffer = roots === null || roots.some((root) => !isSameIn(own, other, root));
    if (mayDiffer) {
      // All of one ruleset first: specs that both share are then evaluated once for each.
      const first = flags.map((flag) => values.valueIn(own, flag));
      const isOther = flags.map((flag, index) => counter.count(flag, first[index] as FlagValue, values.valueIn(other, flag), user));
      if (isOther.includes(true)) changed += 1;
    }
    if (performance.now() < turnEnds) continue;
    await setImmediate();
    turnEnds = performance.now() + TURN_MS;
  }
  return { users: evaluated, changed, transitions: counter.transitions() };
}

/** Counts by the objects of values, since texts may be long. Compares the texts of two values once. */
function createTransitionCounter() {
  const byFlag = new Map<Flag, Map<FlagValue, Map<FlagValue, Transition | null>>>();
  return {
    /** @returns whether the values differ */
    count(flag: Flag, from: FlagValue, to: FlagValue, user: User): boolean {
      if (from === to) return false;
      const byValue = entry(entry(byFlag, flag), from);
      let known = byValue.get(to);
      if (known === undefined) {
        known = from.text === to.text ? null : { flag, from, to, count: 0, user };
        byValue.set(to, known);
      }
      if (known === null) return false;
      known.count += 1;
      return true;
    },

    /** Rules with equal values are one transition. */
    transitions(): Transition[] {
      return [...byFlag.values()].flatMap((byValue) => {
        const merged = new Map<string, Transition>();
        for (const one of [...byValue.values()].flatMap((ofValue) => [...ofValue.values()])) {
          if (one === null) continue;
          const key = `${one.from.text.length} ${one.from.text}${one.to.text}`;
          const known = merged.get(key);
          if (known) known.count += one.count;
          else merged.set(key, one);
        }
        return [...merged.values()];
      });
    },
  };
}

function entry<K, L, V>(map: Map<K, Map<L, V>>, key: K): Map<L, V> {
  let inner = map.get(key);
  if (!inner) {
    inner = new Map();
    map.set(key, inner);
  }
  return inner;
}

function toFlagID({ type, name }: Flag): { type: Flag["type"]; id: string } {
  return { type, id: name };
}

function toPreviewUser(user: User): Schema<"PreviewUser"> {
  return user as Schema<"PreviewUser">;
}
