/** The subject of results: an experiment, a gate's rule or a holdout. */
export type Subject = {
  type: "experiment" | "gate" | "holdout";
  id: string;
  /** Null unless it is a gate. */
  ruleID: string | null;
};

export const subjectOfExperiment = (id: string): Subject => ({ type: "experiment", id, ruleID: null });

export const subjectOfRule = (gateID: string, ruleID: string): Subject => ({ type: "gate", id: gateID, ruleID });

export const subjectOfHoldout = (id: string): Subject => ({ type: "holdout", id, ruleID: null });
