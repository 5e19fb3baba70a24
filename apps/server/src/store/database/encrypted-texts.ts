import { createVault, type SecretKeys } from "../../common/vault.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import type { Db } from "./unit-of-work.ts";

const BATCH_SIZE = 500;

/** The texts that are encrypted with GATEHOUSE_SECRET_KEY: a table, its column, the column of the owner, and the purpose. */
const ENCRYPTED = [
  {
    table: Prisma.sql`warehouse_secret`,
    column: Prisma.sql`"encrypted"`,
    owner: Prisma.sql`"projectID"`,
    purpose: "warehouse credentials",
  },
  {
    table: Prisma.sql`model_secret`,
    column: Prisma.sql`"encrypted"`,
    owner: Prisma.sql`"projectID"`,
    purpose: "model keys",
  },
  { table: Prisma.sql`email`, column: Prisma.sql`"content"`, owner: Prisma.sql`"id"`, purpose: "emails" },
  { table: Prisma.sql`totp`, column: Prisma.sql`"secret"`, owner: Prisma.sql`"personID"`, purpose: "authenticator apps" },
] as const;

/** Encrypts all texts of the previous secret with the current one, in short statements. @returns how many; and how many neither secret decrypts */
export async function renewEncryptedTexts(db: Db, keys: SecretKeys): Promise<{ renewed: number; unreadable: number }> {
  const counts = { renewed: 0, unreadable: 0 };
  for (const { table, column, owner, purpose } of ENCRYPTED) {
    const vault = createVault(keys, purpose);
    for (let after: string | undefined = ""; after !== undefined; ) {
      const rows: { owner: string; text: string }[] = await db.$queryRaw`
        select ${owner} as "owner", ${column} as "text" from ${table} where ${owner} > ${after} order by ${owner} limit ${BATCH_SIZE}`;
      for (const row of rows) {
        const renewed = vault.renew(row.owner, row.text);
        if (renewed === undefined) counts.unreadable += vault.decrypt(row.owner, row.text) === undefined ? 1 : 0;
        // A text that has been replaced stays as it is.
        else
          counts.renewed += await db.$executeRaw`
            update ${table} set ${column} = ${renewed} where ${owner} = ${row.owner} and ${column} = ${row.text}`;
      }
      after = rows.at(-1)?.owner;
    }
  }
  return counts;
}
