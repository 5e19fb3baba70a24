import type { Schema } from "@gatehouse/contract/console";
import { INSTANCE_PROJECT } from "../../common/context.ts";
import { forbidden } from "../../common/errors.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import type { Window } from "../common/page.ts";
import { type IssuedSecret, issueToken } from "../people/acting-as-store.ts";
import type { Person } from "../people/person.ts";

type PasswordReset = Schema<"PasswordReset">;
type Row = Omit<PasswordReset, "createdTime" | "expiresAt"> & { createdTime: bigint; expiresAt: bigint };

/** The open password resets of people of the instance. */
export function createPasswordResetStore(deps: StoreDeps) {
  const { db, by } = deps;
  const pending = Prisma.sql`
    from one_time_token as token
    join person on person."projectID" = ${INSTANCE_PROJECT} and person.id = token."personID"
    where token.purpose = 'password_reset' and token."endsTime" > ${by.now}`;
  return {
    /** Newest first. */
    async list({ skip, take }: Window): Promise<{ data: PasswordReset[]; total: number }> {
      const [rows, totals] = await Promise.all([
        db.$queryRaw<Row[]>`
          select token."personID", person.email, token."createdTime", token."endsTime" as "expiresAt" ${pending}
          order by token."createdTime" desc, token.id limit ${take} offset ${skip}`,
        db.$queryRaw<{ total: number }[]>`select count(*)::int as total ${pending}`,
      ]);
      const data = rows.map((row) => ({ ...row, createdTime: Number(row.createdTime), expiresAt: Number(row.expiresAt) }));
      return { data, total: totals[0]?.total ?? 0 };
    },

    /** Creates a token that replaces all others of the person. @throws AppError forbidden if the caller may not act as the person */
    async create(person: Person): Promise<IssuedSecret> {
      const issued = await issueToken(deps, "password_reset", person);
      if (!issued) throw forbidden("the session of a server administrator");
      return issued;
    },

    /** @returns whether there was one */
    async revoke({ id }: Person): Promise<boolean> {
      const rows = await db.$queryRaw<unknown[]>`
        delete from one_time_token where id in (select token.id ${pending} and token."personID" = ${id}) returning id`;
      return rows.length > 0;
    },
  };
}
