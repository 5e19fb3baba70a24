import type { CallID, Request } from "../api.ts";

/** What loads are of, and the operations about them, which answer alike. */
export type LoadOperations = {
  list: "listExperimentPulseLoads" | "listGatePulseLoads" | "listHoldoutPulseLoads";
  read: "getExperimentPulseLoad" | "getGatePulseLoad" | "getHoldoutPulseLoad";
  start: "startExperimentPulseLoad" | "startGatePulseLoad" | "startHoldoutPulseLoad";
  cancel: "cancelExperimentPulseLoad" | "cancelGatePulseLoad" | "cancelHoldoutPulseLoad";
  path: Request<LoadOperations["list"]>["path"];
  /** What starts a load of everything. */
  request: Request<LoadOperations["start"]>;
  /** What a load changes. */
  reads: CallID[];
};
