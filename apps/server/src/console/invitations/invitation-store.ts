import type { Schema } from "@gatehouse/contract/console";
import { INSTANCE_PROJECT } from "../../common/context.ts";
import { notFound } from "../../common/errors.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import type { Window } from "../common/page.ts";

type Invitation = Schema<"Invitation">;
type Row = Omit<Invitation, "createdTime" | "expiresAt"> & { createdTime: bigint; expiresAt: bigint };

/** The project's open invitations. */
export function createInvitationStore({ db, projectID, by }: StoreDeps) {
  const pending = Prisma.sql`
    from one_time_token as token
    join member on member."projectID" = ${projectID} and member.id = token."personID"
    join person on person."projectID" = ${INSTANCE_PROJECT} and person.id = token."personID"
    where token."projectID" = ${projectID} and token.purpose = 'invitation' and token."endsTime" > ${by.now}`;
  return {
    /** Newest first. */
    async list({ skip, take }: Window): Promise<{ data: Invitation[]; total: number }> {
      const [rows, totals] = await Promise.all([
        db.$queryRaw<Row[]>`
          select token.id, person.email, member.role, token."createdTime", token."endsTime" as "expiresAt" ${pending}
          order by token."createdTime" desc, token.id limit ${take} offset ${skip}`,
        db.$queryRaw<{ total: number }[]>`select count(*)::int as total ${pending}`,
      ]);
      const data = rows.map((row) => ({ ...row, createdTime: Number(row.createdTime), expiresAt: Number(row.expiresAt) }));
      return { data, total: totals[0]?.total ?? 0 };
    },

    /** Revokes the token. @returns the person it was for. @throws AppError not_found */
    async revoke(id: string): Promise<string> {
      const rows = await db.$queryRaw<{ personID: string }[]>`
        delete from one_time_token where id in (select token.id ${pending} and token.id = ${id}) returning "personID"`;
      if (!rows[0]) throw notFound("Invitation", id);
      return rows[0].personID;
    },
  };
}
