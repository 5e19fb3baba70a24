import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import { Prisma } from "../../generated/prisma/client.ts";
import { recordAuditEvent } from "../../store/change-log/audit-event.ts";
import { lock } from "../../store/database/locks.ts";
import { matches } from "../../store/database/row.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { countOnce } from "../../store/entities/totals.ts";
import { requireUnlimited } from "../../store/entities/write-reach.ts";
import type { Window } from "../common/page.ts";

type CodeReference = Schema<"CodeReference">;
type Filter = { type?: CodeReference["entityType"] | undefined; id?: string | undefined };
type Row = Omit<CodeReference, "uploadedTime"> & { uploadedTime: bigint };

/** The places in code that use the entities of a project. */
export function createCodeReferenceStore(deps: StoreDeps) {
  const { db, projectID, by } = deps;
  return {
    /** By repository, branch, file and line. */
    async list({ type, id }: Filter, { skip, take }: Window): Promise<{ data: CodeReference[]; total: number }> {
      const where = matches({ projectID, ...(type !== undefined && { entityType: type }), ...(id !== undefined && { entityID: id }) });
      const [rows, total] = await Promise.all([
        db.$queryRaw<Row[]>`
          select "entityType", "entityID", repository, branch, commit, file, line, text, url, "uploadedTime" from code_reference where ${where}
          order by repository, branch, file, line, position limit ${take} offset ${skip}`,
        countOnce(deps, Prisma.sql`select count(*)::int from code_reference where ${where}`, { areLogged: false }),
      ]);
      return { data: rows.map((row) => ({ ...row, uploadedTime: Number(row.uploadedTime) })), total };
    },

    /** Replaces the references of a repository and branch. @throws AppError forbidden for a limited key */
    async replace({ repository, branch, commit, references }: WritableSchema<"CodeReferencesUpdate">, now: number): Promise<void> {
      requireUnlimited("the code of a project", by.limits);
      await lock(db, `code references of ${projectID} ${repository} ${branch}`);
      await db.$executeRaw`delete from code_reference where ${matches({ projectID, repository, branch })}`;
      if (references.length > 0) {
        await db.$executeRaw`
          insert into code_reference
            ("projectID", repository, branch, position, commit, "uploadedTime", "entityType", "entityID", file, line, text, url)
          select ${projectID}, ${repository}, ${branch}, given.position, ${commit ?? null}, ${now}::bigint,
            given."entityType", given."entityID", given.file, given.line, given.text, given.url
          from unnest(
            ${references.map((one) => one.entityType)}::text[], ${references.map((one) => one.entityID)}::text[],
            ${references.map((one) => one.file)}::text[], ${references.map((one) => one.line)}::int[],
            ${references.map((one) => one.text ?? null)}::text[], ${references.map((one) => one.url ?? null)}::text[]
          ) with ordinality as given ("entityType", "entityID", file, line, text, url, position)`;
      }
      await recordAuditEvent(db, {
        ...by,
        entityType: "code_references",
        entityID: `${repository}@${branch}`.slice(0, 300),
        details: { count: references.length },
      });
    },
  };
}
