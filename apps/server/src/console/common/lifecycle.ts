import type { Context } from "../../common/context.ts";
import { conflict } from "../../common/errors.ts";
import { carryOutRollouts, withoutMissedRollouts } from "./rollout.ts";
import type { Rule } from "./rule.ts";
import { modified } from "./stamp.ts";
import { type Switched, switchedIn } from "./switch.ts";

/** An entity with rules that can be enabled, disabled, archived and unarchived: a gate or a dynamic config. */
type Switchable = Switched & {
  id: string;
  isEnabled: boolean;
  status: string;
  rules: Rule[];
  holdoutIDs?: string[];
  checksPerHour?: number;
  version: number;
};

type LifecycleOptions<E extends Switchable> = {
  /** The entity's kind, at the start of error messages. */
  noun: string;
  /** The status of an enabled entity. */
  enabledStatus: E["status"];
  /** The fields that every modification sets, including the audit fields of the next version. */
  touched(entity: E, context: Context): Partial<E>;
};

/** The lifecycle that gates and dynamic configs share. */
export function createLifecycle<E extends Switchable>({ noun, enabledStatus, touched }: LifecycleOptions<E>) {
  const toStatus = (isEnabled: boolean): E["status"] => (isEnabled ? enabledStatus : "Disabled");

  function requireInUse({ id, status }: E): void {
    if (status === "Archived") throw conflict(`${noun} ${id} is archived. Unarchive it first.`, "status");
  }

  function setEnabled(entity: E, isEnabled: boolean, context: Context, environment?: string): E {
    requireInUse(entity);
    if (environment !== undefined) return { ...switchedIn(entity, environment, isEnabled), ...touched(entity, context) };
    return { ...entity, isEnabled, status: toStatus(isEnabled), ...touched(entity, context) };
  }

  return {
    /** @throws AppError conflict if it is archived */
    requireInUse,

    /** The status of an entity that is not archived. */
    toStatus,

    /** Lets the rules decide, everywhere or in one environment. @throws AppError conflict if it is archived */
    enable: (entity: E, context: Context, environment?: string) => setEnabled(entity, true, context, environment),

    /** Disables it, everywhere or in one environment: every user gets the default, regardless of the rules. @throws AppError conflict if it is archived */
    disable: (entity: E, context: Context, environment?: string) => setEnabled(entity, false, context, environment),

    /** Takes it out of use, with its rules and settings kept. */
    archive: (entity: E, context: Context): E => ({ ...entity, status: "Archived", ...touched(entity, context) }),

    /** Takes it back into use, enabled or disabled as it was. An entity that is not archived keeps its status. */
    unarchive(entity: E, context: Context): E {
      const status = entity.status === "Archived" ? toStatus(entity.isEnabled) : entity.status;
      return { ...entity, status, ...touched(entity, context) };
    },

    /** Applies the automated rollouts that are due. */
    carryOutRollouts: (entity: E, context: Context): E => ({
      ...entity,
      rules: carryOutRollouts(entity.rules, context.now),
      ...touched(entity, context),
    }),

    /** Restores an earlier version as a new one. Keeps the fields that the server maintains. */
    restore(entity: E, old: E, context: Context): E {
      const { holdoutIDs, checksPerHour } = entity;
      const rules = withoutMissedRollouts(old.rules, context.now);
      return { ...old, holdoutIDs, checksPerHour, rules, ...touched(old, context), ...modified(entity, context) };
    },
  };
}
