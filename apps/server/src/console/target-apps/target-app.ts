import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import type { Context } from "../../common/context.ts";
import { randomID } from "../../common/identifier.ts";
import { created, modified } from "../common/stamp.ts";

export type TargetApp = Schema<"TargetApp">;
type TargetAppCreate = Pick<WritableSchema<"TargetAppCreate">, "name" | "description">;
type TargetAppPatch = WritableSchema<"TargetAppPatch">;

/** Creates a target app. Only the name is required. */
export function newTargetApp({ name, description = "" }: TargetAppCreate, context: Context): TargetApp {
  return { id: randomID(), name, description, ...created(context) };
}

/** The app with the given fields changed. */
export function changeTargetApp(app: TargetApp, given: TargetAppPatch, context: Context): TargetApp {
  return { ...app, ...given, ...modified(app, context) };
}
