import { createVault, type SecretKeys } from "../common/vault.ts";
import type { Database } from "../store/database/database.ts";
import type { EmailSettings } from "./email-settings.ts";
import { openMailer } from "./mailer.ts";

/** The operator's settings that emails need. Without `email`, the server sends none. */
type Settings = {
  email: EmailSettings | undefined;
  publicUrl: string | undefined;
} & Partial<Record<keyof SecretKeys, string | undefined>>;

/** The same database, whose transactions can send emails. */
export function withEmails(database: Database, { email, publicUrl, secretKey, previousSecretKey }: Settings): Database {
  if (!email || publicUrl === undefined || secretKey === undefined) return database;
  const emails = { ...createVault({ secretKey, previousSecretKey }, "emails"), open: () => openMailer(email, publicUrl) };
  return {
    ...database,
    db: { ...database.db, emails },
    transaction: (work, options) => database.transaction((db) => work({ ...db, emails }), options),
  };
}
