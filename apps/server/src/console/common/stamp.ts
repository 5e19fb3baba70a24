import type { Context } from "../../common/context.ts";

type Created = {
  creatorID: string;
  creatorName: string;
  creatorEmail: string | null;
  createdTime: number;
} & Modified;

type Modified = {
  lastModifierID: string;
  lastModifierName: string;
  lastModifierEmail: string | null;
  lastModifiedTime: number;
  version: number;
};

/** The author and time of a write. */
export type Stamp = Pick<Context, "actor" | "now">;

/** The audit fields of a new entity. */
export function created(context: Stamp): Created {
  return {
    creatorID: context.actor.id,
    creatorName: context.actor.name,
    creatorEmail: context.actor.email,
    createdTime: context.now,
    ...modified({ version: 0 }, context),
  };
}

/** The audit fields of an entity's next version. */
export function modified(entity: { version: number }, context: Stamp): Modified {
  return {
    lastModifierID: context.actor.id,
    lastModifierName: context.actor.name,
    lastModifierEmail: context.actor.email,
    lastModifiedTime: context.now,
    version: entity.version + 1,
  };
}

type Overrides = { version: number; createdTime: number };

/** The audit fields of the next version of overrides. The first version sets `createdTime`. */
export function overridden({ version, createdTime }: Overrides, { now }: Context): Overrides {
  return { version: version + 1, createdTime: version === 0 ? now : createdTime };
}
