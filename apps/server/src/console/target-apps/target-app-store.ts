import { namedStore } from "../../store/entities/named-store.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { BY_NAME } from "../common/listed.ts";
import type { NamedKind } from "../slice.ts";
import { newTargetApp, type TargetApp } from "./target-app.ts";

export const targetAppKind: NamedKind<"target_app", TargetApp> = {
  table: "target_app",
  type: "target_app",
  getID: (app) => app.id,
  getName: (app) => app.name,
  references: null,
  columns: { name: (app) => app.name, caselessName: { unlisted: (app) => app.name.toLowerCase() } },
  listing: BY_NAME,
  named: { as: "target_app", check: "made", make: ({ id }, by) => newTargetApp({ name: id }, by) },
  ruleset: "scopes",
  needs: null,
  reach: { environments: "every", targetApps: { of: (app) => [app.name] } },
};

export function createTargetAppStore(deps: StoreDeps) {
  return namedStore(deps, targetAppKind);
}
