import { EventsElsewhere } from "../clickhouse/open-events.ts";
import { ClickHouseUnfit } from "../clickhouse/with-clickhouse.ts";
import { ConfigError } from "../common/config-error.ts";
import { WrongAuditKey } from "../store/change-log/seal-periods.ts";
import { DiskFull, FolderUnusable } from "../store/database/data-folder.ts";
import { DatabaseUnfit } from "../store/database/database-unfit.ts";
import { WrongEncoding } from "../store/database/encoding.ts";
import { FolderInUse } from "../store/database/folder-lock.ts";
import { SchemaMismatch } from "../store/database/migrate.ts";
import { DatabaseUnreachable } from "../store/database/reachable.ts";

const OPERATOR_ERRORS = [
  ClickHouseUnfit,
  ConfigError,
  DatabaseUnfit,
  DatabaseUnreachable,
  DiskFull,
  EventsElsewhere,
  FolderInUse,
  FolderUnusable,
  SchemaMismatch,
  WrongAuditKey,
  WrongEncoding,
];

/** The message of an error that the operator can fix. Any other error is a bug and has its stack. */
export function explain(error: unknown, mendable: (new (...args: never[]) => Error)[] = []): string {
  const { message, stack, syscall } = error as NodeJS.ErrnoException;
  if ([...OPERATOR_ERRORS, ...mendable].some((kind) => error instanceof kind)) return `${message}\n`;
  // HOST and PORT cannot be bound, or HOST has no address.
  return syscall === "listen" || syscall === "getaddrinfo" ? `HOST and PORT cannot be used: ${message}\n` : `${stack}\n`;
}
