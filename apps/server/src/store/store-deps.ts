import type { PermittedContext } from "../context.ts";
import type { ChangeLog } from "./change-log.ts";
import type { CreationSettings } from "./creation-settings.ts";
import type { Targets } from "./references.ts";
import type { Db } from "./unit-of-work.ts";

/** What every store is made of: one connection or transaction, the project whose rows it sees, and the log of its writes. */
export type StoreDeps = {
  db: Db;
  projectID: string;
  log: ChangeLog;
  /** In whose name entities are written, and what that caller may do. */
  by: PermittedContext;
  targets: Targets;
  creationSettings(): Promise<CreationSettings>;
};
