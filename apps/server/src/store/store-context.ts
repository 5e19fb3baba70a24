import type { ReferableType, Reference } from "../reference.ts";
import type { ChangeLog } from "./change-log.ts";
import type { Db } from "./unit-of-work.ts";

/** What every store is made of: one connection or transaction, the project whose rows it sees, and the log of its writes. */
export type StoreContext = {
  db: Db;
  projectID: string;
  log: ChangeLog;
  /** Makes what is named for the first time, of the types whose names need not exist before. */
  register?(type: ReferableType, references: Reference[]): Promise<void>;
};
