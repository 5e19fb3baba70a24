import type { Schema } from "@gatehouse/contract/evaluation";
import type { User } from "@gatehouse/evaluation";

type EvaluationContext = Schema<"EvaluationContext">;

/** Fields of the user that the context may leave out. */
type Defaults = Pick<User, "ip" | "userAgent">;

/** Converts OpenFeature's context to the user that rules evaluate, as the contract describes. */
export function contextToUser(context: EvaluationContext, defaults?: Defaults): User {
  const user: User = { userID: context.userID ?? context.targetingKey, ...defaults };
  const custom: Record<string, unknown> = {};
  const customIDs: Record<string, string | number | null> = {};
  for (const name of Object.keys(context)) {
    const value = context[name];
    switch (name) {
      case "targetingKey":
      case "userID":
      case "custom":
      case "customIDs":
      case "privateAttributes":
      case "statsigEnvironment":
      case "flags":
      // An assignment to this name would set the prototype.
      case "__proto__":
        continue;
      case "email":
      case "ip":
      case "userAgent":
      case "country":
      case "locale":
      case "appVersion":
        if (typeof value === "string") user[name] = value;
        else if (value !== null) custom[name] = value;
        continue;
      default:
        if (value === null) continue;
        custom[name] = value;
        if (typeof value === "string" || typeof value === "number") customIDs[name] = value;
    }
  }
  user.custom = context.custom ? { ...custom, ...context.custom } : custom;
  user.customIDs = context.customIDs ? { ...customIDs, ...context.customIDs } : customIDs;
  if (context.privateAttributes) user.privateAttributes = context.privateAttributes;
  if (context.statsigEnvironment) user.statsigEnvironment = context.statsigEnvironment;
  else if (typeof context.environment === "string") user.statsigEnvironment = { tier: context.environment };
  return user;
}
