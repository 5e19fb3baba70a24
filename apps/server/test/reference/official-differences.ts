/** An answer that differs from the document on purpose: its status, or the errors of its body. */
export type Difference = { reason: string; status?: number; errors?: string[] };

const NO_TEAM: Difference = {
  reason: "Without a team, the document allows null as its name but not as its id. In every other entity, it allows both.",
  errors: ["/data/teamID must be string"],
};

const COPIED_ROWS: Difference = {
  reason: "The document requires an object that is a list at the same time.",
  errors: ["/data must be object", "/data must match exactly one schema in oneOf"],
};

/** The answers that differ from the document, by route. */
export const DIFFERENCES: Record<string, Difference> = {
  "GET /console/v1/audit_logs": {
    reason: "The document calls two texts objects. Its own example has texts.",
    errors: ["/data/*/actionType must be object", "/data/*/modifierEmail must be object"],
  },
  "GET /console/v1/events/{}/metrics": {
    reason: "The document's list of metric types lacks the type of the metric in its own example.",
    errors: ["/data/*/type must be equal to one of the allowed values"],
  },
  "GET /console/v1/experiments/{}/cumulative_exposures": {
    reason: "The document describes one group. Its own example is a list of groups.",
    errors: ["/data must be object"],
  },
  "GET /console/v1/ingestion/events/count": COPIED_ROWS,
  "GET /console/v1/ingestion/events/delta": COPIED_ROWS,
  "POST /console/v1/ingestion/connection/databricks": {
    reason: "Databricks has no wire protocol that Gatehouse speaks. The answer names the engines that work.",
    status: 400,
  },
  "GET /console/v1/param_stores": { ...NO_TEAM, errors: ["/data/*/teamID must be string"] },
  "GET /console/v1/param_stores/{}": NO_TEAM,
  "POST /console/v1/param_stores": NO_TEAM,
  "POST /console/v1/param_stores/{}": NO_TEAM,
  "GET /console/v1/segments/{}/id_list": {
    reason: "The document requires a list that is an object at the same time. Its own example is the object.",
    errors: ["/data must be array"],
  },
};
