// Permissions of roles, in words.
import type { Schema } from "../api.ts";

export type Permissions = Schema<"Role">["permissions"];
export type PermissionName = keyof Permissions;

/** The permissions that operations ask for, in groups, as sentences that begin with “May”. */
export const PERMISSION_GROUPS = [
  {
    name: "Read",
    permissions: {
      read: "View everything except keys and the audit log",
      read_audit_logs: "View the full audit log, with IP addresses and key changes",
      read_keys: "List keys, without their secrets",
    },
  },
  {
    name: "Gates, configs, and experiments",
    permissions: {
      create_configs:
        "Create gates, dynamic configs, experiments, autotunes, layers, segments, holdouts, param stores, prompts, prompt datasets, and tags",
      edit_or_delete_configs: "Edit, archive, and delete these, set overrides, and restore versions",
      launch_or_disable_configs:
        "Launch, enable, and disable gates and dynamic configs, end experiments, and pause, resume, skip, complete, and abort releases",
      start_experiments: "Start and schedule experiments, and refresh their results",
      reset_experiments: "Reset experiments and copy them into new ones",
      edit_dynamic_config_schemas: "Change the JSON Schema of a dynamic config",
      edit_and_tag_configs_with_core_tag: "Add and remove the core tag, and edit anything that has it",
      create_release_pipelines: "Create, change, and delete release pipelines",
      metric_management: "Create, change, preview, and delete metrics and metric sources",
      verify_metrics: "Mark metrics as verified, and take the mark away",
      manage_alerts: "Create, change, resolve, and delete alerts on metrics",
      create_or_edit_dashboards: "Create, change, and delete dashboards",
      data_warehouse_ingestion_and_exports_edit_access:
        "Create, change, preview, and delete ingestion sources, change their schedule, and start backfills",
    },
  },
  {
    name: "Reviews and approvals",
    permissions: {
      approve_reviews: "Approve and reject other people’s changes, and cancel their reviews",
      approve_required_review_release_pipeline_phase: "Approve phases of releases that other people started",
      self_approve_review: "Approve their own changes, and phases of releases that they started",
      bypass_reviews_for_overrides: "Change overrides without a review",
      bypass_reviews: "Make a change without its review in an emergency, with a reason that the audit log shows",
      bypass_precommit_webhook: "Approve or reject changes in place of the validation webhook",
    },
  },
  {
    name: "People, keys, and the project",
    permissions: {
      create_teams: "Manage teams, and edit anything that a team owns",
      invitation_access: "Invite people, and list and revoke invitations",
      manage_members: "Change the roles of members, and add and remove members",
      manage_roles: "Create, change, and delete roles",
      manage_keys: "Create, change, rotate, deactivate, and delete keys",
      edit_project_settings: "Change environments, target apps, unit ID types, and project settings, and download or delete a unit's data",
      integrations_edit_access: "Connect, check, and delete the project's model endpoint",
      whn_connection: "Connect, check, and disconnect the project's warehouse",
    },
  },
] as const satisfies readonly { name: string; permissions: Partial<Record<PermissionName, string>> }[];

/** Every permission in words, in the order of the groups. */
export const PERMISSION_WORDS: ReadonlyMap<PermissionName, string> = new Map(
  PERMISSION_GROUPS.flatMap(({ permissions }) => Object.entries(permissions) as [PermissionName, string][]),
);

/** Permissions that no operation asks for yet. The server keeps them for existing clients. */
export const WITHOUT_EFFECT = {
  launch_to_production: "Launch to production",
  create_or_edit_templates: "Create and change templates",
  event_dimensions_access: "Choose which event dimensions are kept",
  use_metrics_explorer: "Explore metrics",
  local_metrics: "Create metrics of one experiment",
  source_connection_and_creation: "Connect data sources",
  manual_whn_reload: "Reload results from a warehouse",
} as const satisfies Partial<Record<PermissionName, string>>;

export const permissionInWords = (name: PermissionName): string =>
  PERMISSION_WORDS.get(name) ?? (WITHOUT_EFFECT as Partial<Record<PermissionName, string>>)[name] ?? name;

// A permission that the contract adds has to be put into words here.
type Worded = (typeof PERMISSION_GROUPS)[number]["permissions"] extends infer Group ? (Group extends object ? keyof Group : never) : never;
const _everyPermissionHasWords: Exclude<PermissionName, Worded | keyof typeof WITHOUT_EFFECT> extends never ? true : never = true;
void _everyPermissionHasWords;

/** How many permissions with an effect there are of a role. */
export const countPermissions = (permissions: Permissions): number =>
  [...PERMISSION_WORDS.keys()].filter((name) => permissions[name]).length;
