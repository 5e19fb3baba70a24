import { namedStore } from "../../store/entities/named-store.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { BY_NAME } from "../common/listed.ts";
import { NOWHERE } from "../common/parts-elsewhere.ts";
import type { NamedKind } from "../slice.ts";
import { newTag, type Tag } from "./tag.ts";

export const tagKind: NamedKind<"tag", Tag> = {
  table: "tag",
  type: "tag",
  getID: (tag) => tag.id,
  getName: (tag) => tag.name,
  references: null,
  columns: { name: (tag) => tag.name, caselessName: { unlisted: (tag) => tag.name.toLowerCase() } },
  listing: BY_NAME,
  named: { as: "tag", check: "made", make: ({ id }, by) => newTag({ name: id }, by) },
  ruleset: null,
  needs: null,
  reach: NOWHERE,
};

export function createTagStore(deps: StoreDeps) {
  return namedStore(deps, tagKind);
}
