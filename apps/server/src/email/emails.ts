import type { Logger } from "pino";
import type { Instruments } from "../common/instruments.ts";
import { createVault, type SecretKeys } from "../common/vault.ts";
import type { Database } from "../store/database/database.ts";
import type { Emails } from "../store/database/emails.ts";
import type { EmailSettings } from "./email-settings.ts";
import { openMailer } from "./mailer.ts";

/** The operator's settings that emails need. Without `email`, the server sends none. */
type Settings = {
  email: EmailSettings | undefined;
  publicUrl: string | undefined;
} & Partial<Record<keyof SecretKeys, string | undefined>>;

/** The log and the measurements, which exist only after the database. */
type Monitoring = () => { log: Logger; instruments: Instruments };

/** The same database, whose transactions can send emails. */
export function withEmails(
  database: Database,
  { email, publicUrl, secretKey, previousSecretKey }: Settings,
  monitoring: Monitoring,
): Database {
  if (!email || publicUrl === undefined || secretKey === undefined) return database;
  const emails: Emails = {
    ...createVault({ secretKey, previousSecretKey }, "emails"),
    open: () => openMailer(email, publicUrl),
    noteDropped({ count, ...dropped }) {
      const { log, instruments } = monitoring();
      log.warn({ ...dropped, count }, "Too many emails wait. Further ones are not sent.");
      instruments.emails.inc({ outcome: "limited" }, count);
    },
  };
  return {
    ...database,
    db: { ...database.db, emails },
    transaction: (work, options) => database.transaction((db) => work({ ...db, emails }), options),
  };
}
