import { useSuspenseQuery } from "@tanstack/react-query";
import { ConsoleApiError, currentProjectID, ensure, instanceQuery, type Schema } from "../api.ts";

export type Account = Schema<"Account">;

/** Actions that each permission allows, to name the missing one: "You cannot … ". */
const DEEDS = {
  read: "read this project",
  create_configs: "create gates, configs, experiments, and related entities",
  edit_or_delete_configs: "make changes",
  launch_or_disable_configs: "enable, disable, or launch",
  start_experiments: "start experiments",
  reset_experiments: "reset experiments",
  edit_dynamic_config_schemas: "change the JSON Schema of a dynamic config",
  edit_and_tag_configs_with_core_tag: "change what has the core tag",
  create_release_pipelines: "change release pipelines",
  metric_management: "change or preview metrics and metric sources",
  manage_alerts: "change or resolve alerts",
  create_or_edit_dashboards: "change dashboards",
  data_warehouse_ingestion_and_exports_edit_access: "change or preview ingestion sources, change their schedule or start backfills",
  create_teams: "change teams",
  read_audit_logs: "read the audit log",
  read_keys: "view keys",
  manage_keys: "create or change keys",
  manage_roles: "change roles",
  edit_project_settings: "change project settings",
  whn_connection: "connect or check the warehouse",
  integrations_edit_access: "connect or check the model endpoint",
  invitation_access: "invite people",
  manage_members: "change members",
  approve_reviews: "approve changes",
  approve_required_review_release_pipeline_phase: "approve phases of releases",
} satisfies Partial<Record<keyof Account["projects"][number]["permissions"], string>>;

/** The permissions that operations require. */
export type Permission = keyof typeof DEEDS;

export const accountQuery = () => instanceQuery("getSession");

/** Whether a request failed because it has no session. */
export const isSignedOut = (error: unknown): boolean => error instanceof ConsoleApiError && error.status === 401;

export function useAccount(): Account {
  return useSuspenseQuery(accountQuery()).data.data;
}

/** The project of the page, with the person's role and permissions in it. */
export function useProject(): Account["projects"][number] {
  const { projects } = useAccount();
  const project = projects.find(({ id }) => id === currentProjectID());
  if (project === undefined) throw new Error("Open a project first.");
  return project;
}

/** Whether the person has a permission in the current project, for data that is read before a page shows. */
export async function isPermitted(permission: Permission): Promise<boolean> {
  const { projects } = (await ensure(accountQuery())).data;
  return projects.find(({ id }) => id === currentProjectID())?.permissions[permission] === true;
}

/** Why the person may not do something; undefined if they may. Buttons take it as `disabledReason`. */
export function useRefusal(): (permission: Permission) => string | undefined {
  const { permissions, role, name } = useProject();
  return (permission) =>
    permissions[permission] === true ? undefined : `Your role ${role} in ${name} can’t ${DEEDS[permission]}. Ask an admin for access.`;
}

/** The person's id if they can't review their own changes in the current project. */
export function useBarredReviewer(): string | undefined {
  const { person, projects } = useAccount();
  const mayApproveOwn = projects.find(({ id }) => id === currentProjectID())?.permissions.self_approve_review === true;
  return mayApproveOwn ? undefined : person.id;
}

/** Whether the person may change what users get in an environment of the current project. */
export function usePublishing(): (environment: string) => boolean {
  const { publishesIn } = useProject();
  return (environment) => publishesIn === null || publishesIn.some((one) => one.toLowerCase() === environment.toLowerCase());
}

/** Whether the person can make changes in the current project without their reviews. */
export function useMayBypass(): boolean {
  const { projects } = useAccount();
  return projects.find(({ id }) => id === currentProjectID())?.permissions.bypass_reviews === true;
}
