/** A day of a source. */
export type DayOfSource = {
  projectID: string;
  source: string;
  /** In UTC, counted from the epoch. */
  day: number;
};

/** A day that was copied or is being copied. */
export type IngestedDay = Omit<DayOfSource, "projectID"> & {
  state: "running" | "complete" | "failed";
  /** The rows that the last pass saw, those of them that were refused, and those that were copied by all passes. */
  rows: number;
  refused: number;
  copied: number;
  /** Why a row was refused, or the pass failed. */
  message: string | null;
  /** Ms since the epoch. */
  updatedTime: number;
};

/** How many events of a name were copied, and how many there were when the source was last passed over. */
export type IngestedCount = Omit<DayOfSource, "projectID"> & { event: string; internal: number; external: number; updatedTime: number };
