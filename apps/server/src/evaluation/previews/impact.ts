import { setImmediate } from "node:timers/promises";
import type { Schema } from "@gatehouse/contract/console";
import type { Evaluator, User } from "@gatehouse/evaluation";
import type { Flag } from "./changed-flags.ts";
import { type FlagValue, shown, valueIn } from "./flag-value.ts";
import type { UserGroup } from "./user-groups.ts";

type EnvironmentImpact = Schema<"EnvironmentImpact">;

/** The most transitions and examples of an environment that are answered, as the contract says. */
const MAX_TRANSITIONS = 50;
const MAX_EXAMPLES = 10;
/** After this long, waiting requests get their turn, ms. */
const TURN_MS = 10;

type Transition = { flag: Flag; from: FlagValue; to: FlagValue; count: number; user: User };

/** Evaluates flags for the users of each environment before and after a change. */
export async function impactOn(groups: UserGroup[], flags: Flag[], before: Evaluator, after: Evaluator): Promise<EnvironmentImpact[]> {
  const impacts: EnvironmentImpact[] = [];
  for (const { environment, users } of groups) {
    const { changed, transitions } = await compare(users, flags, before, after);
    const frequent = transitions.sort((a, b) => b.count - a.count).slice(0, MAX_TRANSITIONS);
    impacts.push({
      environment,
      users: users.length,
      changed,
      transitions: frequent.map(({ flag, from, to, count }) => ({ ...idOf(flag), from: shown(from), to: shown(to), count })),
      examples: frequent
        .slice(0, MAX_EXAMPLES)
        .map(({ user, flag, from, to }) => ({ user: toPreviewUser(user), ...idOf(flag), before: shown(from), after: shown(to) })),
    });
  }
  return impacts;
}

async function compare(
  users: User[],
  flags: Flag[],
  before: Evaluator,
  after: Evaluator,
): Promise<{ changed: number; transitions: Transition[] }> {
  const transitions = new Map<string, Transition>();
  let changed = 0;
  let turnEnds = performance.now() + TURN_MS;
  for (const user of users) {
    const [own, other] = [before.decisionsFor(user), after.decisionsFor(user)];
    // All of one ruleset first: specs that both share are then evaluated once for each.
    const values = flags.map((flag) => valueIn(own, flag));
    let isChanged = false;
    for (const [index, flag] of flags.entries()) {
      const [from, to] = [values[index] as FlagValue, valueIn(other, flag)];
      if (from === to || from.text === to.text) continue;
      isChanged = true;
      const key = `${index} ${from.text.length} ${from.text}${to.text}`;
      const known = transitions.get(key);
      if (known) known.count += 1;
      else transitions.set(key, { flag, from, to, count: 1, user });
    }
    if (isChanged) changed += 1;
    if (performance.now() < turnEnds) continue;
    await setImmediate();
    turnEnds = performance.now() + TURN_MS;
  }
  return { changed, transitions: [...transitions.values()] };
}

function idOf({ type, name }: Flag): { type: Flag["type"]; id: string } {
  return { type, id: name };
}

function toPreviewUser(user: User): Schema<"PreviewUser"> {
  return user as Schema<"PreviewUser">;
}
