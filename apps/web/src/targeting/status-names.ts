const STATUSES: Readonly<Record<string, string>> = {
  setup: "In setup",
  active: "Running",
  assignment_stopped: "Enrollment paused",
  experiment_stopped: "Stopped",
  decision_made: "Decided",
  abandoned: "Abandoned",
  archived: "Archived",
};

/** The name of an experiment's status. Other kinds' statuses are words already. */
export const statusName = (status: string): string => STATUSES[status] ?? status;

const TYPES: Readonly<Record<string, string>> = {
  PERMANENT: "Permanent",
  TEMPORARY: "Temporary",
  STALE: "Stale",
  rule_based: "Rules",
  id_list: "ID list",
  user_store_id_list: "ID list of a user store",
};

/** The name of a gate's or segment's type. Other kinds' types are words already. */
export const typeName = (type: string): string => TYPES[type] ?? type;
