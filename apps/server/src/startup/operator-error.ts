import { EventsElsewhere } from "../clickhouse/open-events.ts";
import { ClickHouseUnfit } from "../clickhouse/with-clickhouse.ts";
import { ConfigError } from "../common/config-error.ts";
import { WrongAuditKey } from "../store/change-log/sealing.ts";
import { WrongEncoding } from "../store/database/encoding.ts";
import { FolderInUse } from "../store/database/folder-lock.ts";
import { SchemaMismatch } from "../store/database/migrate.ts";
import { DatabaseUnreachable } from "../store/database/reachable.ts";

const OPERATOR_ERRORS = [
  ClickHouseUnfit,
  ConfigError,
  DatabaseUnreachable,
  EventsElsewhere,
  FolderInUse,
  SchemaMismatch,
  WrongAuditKey,
  WrongEncoding,
];

/** The message of an error that the operator can fix. Any other error is a bug and has its stack. */
export function explain(error: unknown, mendable: (new (...args: never[]) => Error)[] = []): string {
  const isMendable =
    [...OPERATOR_ERRORS, ...mendable].some((kind) => error instanceof kind) || (error as NodeJS.ErrnoException).syscall === "listen";
  return `${isMendable ? (error as Error).message : (error as Error).stack}\n`;
}
