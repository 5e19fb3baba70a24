import { invalid } from "../../common/errors.ts";
import { type TimeZone, UTC } from "../../common/time-zone.ts";
import type { Db } from "../../store/database/unit-of-work.ts";
import { entityStore } from "../../store/entities/entity-store.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import type { VersionPage } from "../../store/entities/versions.ts";
import { CORE_UNIT_ID_TYPES } from "../common/named.ts";
import type { Window } from "../common/page.ts";
import { EVERYWHERE } from "../common/parts-elsewhere.ts";
import { createProjectStore } from "../projects/project-store.ts";
import type { EntityKind } from "../slice.ts";
import { createUnitIDTypeStore } from "../unit-id-types/unit-id-type-store.ts";
import { defaultSettings, namedBySettings, type Settings } from "./settings.ts";

/** A project's settings are one entity in one row, whose id is the project's. */
export const settingsKind: EntityKind<"settings", Settings> = {
  table: "settings",
  type: "settings",
  idColumn: "projectID",
  getID: (_settings, projectID) => projectID,
  references: namedBySettings,
  columns: {
    defaultUnitType: { unlisted: (settings) => settings.default_unit_type },
    requireTeams: { unlisted: (settings) => settings.require_teams_on_configs },
    timeZone: { unlisted: (settings) => settings.timeZone },
  },
  listing: null,
  named: null,
  ruleset: null,
  needs: null,
  reach: EVERYWHERE,
};

export function createSettingsStore(deps: StoreDeps) {
  const { db, projectID } = deps;
  const store = entityStore(deps, settingsKind);
  return {
    listNaming: store.listNaming,

    /** The settings that creations read, once for each request. */
    forCreation: deps.creationSettings,

    get: async (): Promise<Settings> => (await store.find(projectID)) ?? defaultSettings((await createProjectStore(deps).current()).name),

    /** The time zone of days in results. */
    async timeZone(): Promise<TimeZone> {
      const [row] = await db.$queryRaw<{ timeZone: TimeZone }[]>`select "timeZone" from settings where "projectID" = ${projectID}`;
      return row?.timeZone ?? UTC;
    },

    /**
     * Renames the project as well.
     * @throws AppError conflict if `before` is outdated; invalid_request for a role or unit ID type that does not exist
     */
    async replace(before: Settings, after: Settings): Promise<Settings> {
      requireSendable(after, before);
      if (after.default_unit_type !== before.default_unit_type) await requireUnitType(after.default_unit_type);
      const written = before.version === 0 ? await store.create(after, before) : await store.replace(before, after);
      if (after.name !== before.name) await createProjectStore(deps).rename(after.name);
      return written;
    },

    /** The secret of the webhook that validates changes; null without a webhook. */
    async validationSecret(): Promise<string | null> {
      const url = (await store.find(projectID))?.change_validation_url;
      return (url ? db.webhooks?.secretFor(projectID, url) : undefined) ?? null;
    },

    /** Takes over the project's new name. Without a row, settings have the project's name. */
    async rename(name: string): Promise<void> {
      const settings = await store.find(projectID);
      if (settings && settings.name !== name) await store.replace(settings, { ...settings, name, version: settings.version + 1 });
    },

    /** Newest first. */
    async listVersions(window: Window): Promise<VersionPage<Settings>> {
      return (await store.find(projectID)) ? store.listVersions(projectID, window) : { data: [], reasons: [], total: 0 };
    },

    /** @throws AppError not_found */
    getVersion: (version: number) => store.getVersion(projectID, version),
  };

  /** @throws AppError invalid_request if the server may not send anything to the webhook */
  function requireSendable({ change_validation_url: url }: Settings, before: Settings): void {
    if (!url || url === before.change_validation_url) return;
    const errorMessage = db.webhooks ? db.webhooks.refusal(url) : "cannot be set: the server sends nothing";
    if (errorMessage !== undefined) throw invalid([{ property: "change_validation_url", errorMessage }]);
  }

  /** Other entities create the unit ID type that they reference first. A setting does not, since a mistyped one would affect them all. */
  async function requireUnitType(name: string): Promise<void> {
    if (CORE_UNIT_ID_TYPES.includes(name) || (await createUnitIDTypeStore(deps).find(name))) return;
    throw invalid([{ property: "default_unit_type", errorMessage: `references unit ID type ${name}, which does not exist` }]);
  }
}

/** The time zones of projects that have another one than UTC. */
export async function listTimeZones(db: Db): Promise<{ projectID: string; timeZone: TimeZone }[]> {
  return db.$queryRaw<{ projectID: string; timeZone: TimeZone }[]>`select "projectID", "timeZone" from settings where "timeZone" <> ${UTC}`;
}
