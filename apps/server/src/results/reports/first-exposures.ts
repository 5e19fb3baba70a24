import type { Column } from "./columns.ts";

/** A unit that saw a group of an experiment for the first time. */
export type FirstExposure = {
  experimentID: string;
  experimentName: string;
  idType: string;
  unitID: string;
  groupID: string;
  /** Undefined for a group that was removed. */
  groupName: string | undefined;
  /** Ms since the epoch. */
  firstTime: number;
  environment: string;
};

export const firstExposureColumns: readonly Column<FirstExposure>[] = [
  { name: "experimentID", type: "text", cellOf: (row) => row.experimentID },
  { name: "experimentName", type: "text", cellOf: (row) => row.experimentName },
  { name: "idType", type: "text", cellOf: (row) => row.idType },
  { name: "unitID", type: "text", cellOf: (row) => row.unitID },
  { name: "groupID", type: "text", cellOf: (row) => row.groupID },
  { name: "groupName", type: "text", cellOf: (row) => row.groupName },
  { name: "firstExposureTime", type: "time", cellOf: (row) => row.firstTime },
  { name: "environment", type: "text", cellOf: (row) => row.environment },
];
