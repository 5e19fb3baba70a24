import type { Schema } from "@gatehouse/contract/console";
import { toOwner } from "../../common/owner.ts";
import { fromText } from "../../store/change-log/entity-text.ts";
import { matches, name } from "../../store/database/row.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { visibleKinds } from "../../store/entities/visible-kinds.ts";
import { entityTag } from "../../store/requests/entity-tag.ts";
import { createSettingsStore } from "../settings/settings-store.ts";
import type { Selection, Stored } from "./configuration.ts";
import { isSame, toConfiguration } from "./configuration.ts";
import { CONFIGURED } from "./configured-kinds.ts";
import { type Given, planChanges } from "./plan.ts";

/** The configuration of a project. The entities of a kind are read by one statement, so that each is there once. */
export function createConfigurationStore(deps: StoreDeps) {
  const { db, projectID } = deps;
  const visible = visibleKinds(deps);

  async function readType(type: string): Promise<Stored[]> {
    const kind = visible.find((one) => one.type === type);
    if (!kind) return [];
    const { table, idColumn = "id", scope } = kind;
    const rows = await db.$queryRaw<{ id: string; entity: string }[]>`
      select ${name(idColumn)} as id, entity from ${name(table)} where ${matches({ projectID, ...scope })}`;
    return rows.map(({ id, entity: text }) => {
      const entity = fromText<Stored["entity"] & { version: number }>(text);
      return { id, entity, tag: entityTag(entity), isArchived: kind.isArchived?.(entity) ?? false };
    });
  }

  /** A project has settings before anyone changes them. */
  async function readSettings(): Promise<Stored[]> {
    const settings = await createSettingsStore(deps).get();
    const entity = { require_owners_on_configs: false, ...settings };
    return [{ id: projectID, entity, tag: entityTag(settings), isArchived: false }];
  }

  async function readProject() {
    const types = [...CONFIGURED.map(({ type }) => type), "team"];
    const read = await Promise.all(
      types.map(async (type) => [type, await (type === "settings" ? readSettings() : readType(type))] as const),
    );
    return new Map<string, Stored[]>(read);
  }

  return {
    /** The configuration of the matching entities in use. */
    async export(selection: Selection): Promise<Schema<"Configuration">> {
      return toConfiguration(await readProject(), selection);
    },

    /**
     * The changes that make the project equal to a configuration. If the project's settings require owners, new entities belong to the caller.
     * @throws AppError invalid_request with the place of each entity that cannot be applied
     */
    async plan(given: Given) {
      const { requireOwners } = await deps.creationSettings();
      return planChanges(await readProject(), given, requireOwners ? toOwner(deps.by.actor) : undefined);
    },

    /** Whether two states of an entity have the same configuration. */
    isSame,
  };
}
