import type { User } from "@gatehouse/evaluation";

type Attributes = Record<string, any> & { targetingKey: string };

/** A user as OpenFeature has it: the user ID is the targeting key, and custom fields stand beside the others. */
export function toContext({ userID, custom, ...rest }: User): Attributes {
  return { targetingKey: String(userID ?? ""), ...rest, ...custom };
}
