import type { ReferableType } from "../reference.ts";
import type { ChangeLog } from "./change-log.ts";
import type { Db } from "./unit-of-work.ts";

/** What every store is made of: one connection or transaction, the project whose rows it sees, and the log of its writes. */
export type StoreContext = {
  db: Db;
  projectID: string;
  log: ChangeLog;
  /** Makes those names of a type that are named for the first time. A type whose names must exist is refused elsewhere. */
  register?(type: ReferableType, names: string[]): Promise<void>;
};
