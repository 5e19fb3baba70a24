import type { User } from "@gatehouse/evaluation";

type Attributes = Record<string, any> & { targetingKey: string };

/** The OpenFeature context of a user: the user ID is the targeting key, and custom fields are top-level fields. */
export function toContext({ userID, custom, ...rest }: User): Attributes {
  return { targetingKey: String(userID ?? ""), ...rest, ...custom };
}
