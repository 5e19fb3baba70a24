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
  { name: "experimentID", type: "text", readCell: (row) => row.experimentID },
  { name: "experimentName", type: "text", readCell: (row) => row.experimentName },
  { name: "idType", type: "text", readCell: (row) => row.idType },
  { name: "unitID", type: "text", readCell: (row) => row.unitID },
  { name: "groupID", type: "text", readCell: (row) => row.groupID },
  { name: "groupName", type: "text", readCell: (row) => row.groupName },
  { name: "firstExposureTime", type: "time", readCell: (row) => row.firstTime },
  { name: "environment", type: "text", readCell: (row) => row.environment },
];
