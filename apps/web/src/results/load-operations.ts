import type { CallID, Request } from "../api.ts";

/** The subject of results updates, and the operations about them, which answer alike. */
export type LoadOperations = {
  list: "listExperimentPulseLoads" | "listGatePulseLoads" | "listHoldoutPulseLoads";
  read: "getExperimentPulseLoad" | "getGatePulseLoad" | "getHoldoutPulseLoad";
  start: "startExperimentPulseLoad" | "startGatePulseLoad" | "startHoldoutPulseLoad";
  cancel: "cancelExperimentPulseLoad" | "cancelGatePulseLoad" | "cancelHoldoutPulseLoad";
  path: Request<LoadOperations["list"]>["path"];
  /** The request that starts an update of everything. */
  request: Request<LoadOperations["start"]>;
  /** The reads that an update changes. */
  reads: CallID[];
};
