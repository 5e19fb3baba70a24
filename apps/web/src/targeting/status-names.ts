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
