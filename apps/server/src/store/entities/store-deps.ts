import type { PermittedContext } from "../../common/context.ts";
import type { ChangeLog } from "../change-log/change-log.ts";
import type { Db } from "../database/unit-of-work.ts";
import type { CreationSettings } from "./creation-settings.ts";
import type { Targets } from "./references.ts";
import type { ReadableKind } from "./visible-kinds.ts";

/** The arguments of every store: a database or transaction, the project whose rows it accesses, and the log of its writes. */
export type StoreDeps = {
  db: Db;
  projectID: string;
  log: ChangeLog;
  /** The context of writes, and the caller's permissions. */
  by: PermittedContext;
  targets: Targets;
  /** Every kind of entity. */
  kinds: readonly ReadableKind[];
  creationSettings(): Promise<CreationSettings>;
};
