import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import { invalid } from "../../common/errors.ts";
import { toTimeZone, UTC } from "../../common/time-zone.ts";
import { namedUnit } from "../common/named.ts";
import type { Reference } from "../reference.ts";
import { namedRole } from "../roles/role.ts";

export type Settings = Schema<"Settings">;

/** The settings that one operation reads and replaces. */
export type Page = keyof typeof FIELDS;

type SettingsPages = {
  project: Schema<"SettingsProject">;
  roles: Schema<"SettingsRoles">;
  teams: Schema<"SettingsTeams">;
  reviews: Schema<"SettingsReviews">;
};

type PageInput =
  | WritableSchema<"SettingsProjectUpdate">
  | WritableSchema<"SettingsRolesUpdate">
  | WritableSchema<"SettingsTeamsUpdate">
  | WritableSchema<"SettingsReviewsUpdate">;

const FIELDS = {
  project: ["name", "visibility", "default_unit_type", "timeZone"],
  roles: ["default_project_role"],
  teams: ["require_teams_on_configs", "require_owners_on_configs"],
  reviews: [
    "is_config_review_required",
    "is_metric_review_required",
    "is_metric_review_required_on_verified_only",
    "is_whn_analysis_only_review_required",
    "is_whn_source_review_required",
    "change_validation_url",
    "change_validation_timeout_ms",
  ],
} as const satisfies Record<string, (keyof Settings)[]>;

/** The settings of a project with this name before any change. */
export function defaultSettings(name: string): Settings {
  return {
    name,
    visibility: "OPEN",
    default_unit_type: "userID",
    timeZone: UTC,
    default_project_role: "Member",
    require_teams_on_configs: false,
    is_config_review_required: false,
    is_metric_review_required: false,
    is_metric_review_required_on_verified_only: false,
    is_whn_analysis_only_review_required: false,
    is_whn_source_review_required: false,
    version: 0,
  };
}

/** One page of the settings, with their version. */
export function pickPage<P extends Page>(settings: Settings, page: P): SettingsPages[P] {
  const fields = FIELDS[page].map((field) => [field, settings[field]]);
  return Object.fromEntries([...fields, ["version", settings.version]]) as SettingsPages[P];
}

/** The settings with the given ones changed. @throws AppError invalid_request if the time zone does not exist */
export function changeSettings(settings: Settings, given: PageInput): Settings {
  if ("timeZone" in given && given.timeZone !== undefined && !toTimeZone(given.timeZone)) {
    const errorMessage = `must be the name of a time zone in the IANA database, such as Europe/Berlin. There is none that is called ${given.timeZone}`;
    throw invalid([{ property: "timeZone", errorMessage }]);
  }
  return { ...settings, ...given, version: settings.version + 1 };
}

/** The old version as a new one. */
export function restoreSettings(settings: Settings, old: Settings): Settings {
  return { ...old, version: settings.version + 1 };
}

/** The settings' references. */
export function namedBySettings({ default_unit_type, default_project_role }: Settings): Reference[] {
  return [...namedUnit(default_unit_type, "default_unit_type"), ...namedRole(default_project_role, "default_project_role")];
}
