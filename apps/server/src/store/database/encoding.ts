import type { Database } from "./database.ts";

/** The encoding of the database is not UTF8. */
export class WrongEncoding extends Error {}

/** Requires UTF-8: other encodings cannot store all languages, or store unchecked bytes. @throws WrongEncoding */
export async function requireUTF8({ db }: Database): Promise<void> {
  const [row] = await db.$queryRaw<{ encoding: string; name: string }[]>`
    select current_setting('server_encoding') as encoding, current_database()::text as name`;
  if (!row || row.encoding === "UTF8") return;
  throw new WrongEncoding(
    `The database ${row.name} has the encoding ${row.encoding}, and Gatehouse needs UTF8. Create one with ` +
      "`createdb -E UTF8 -T template0 gatehouse` and set DATABASE_URL to its address.",
  );
}
