import { notFound } from "../../common/errors.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import { recordAuditEvent } from "../../store/change-log/audit-event.ts";
import { lock } from "../../store/database/locks.ts";
import { filters } from "../../store/entities/filters.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import type { Window } from "../common/page.ts";
import type { PromptDataset } from "../prompt-datasets/prompt-dataset.ts";
import { EVALUATION_COLUMNS, ROW_COLUMNS, type StoredEvaluation, type StoredRow, toEvaluation, toRow } from "./evaluation-columns-store.ts";
import type { EvaluationRow, EvaluationStatus, PromptEvaluation } from "./prompt-evaluation.ts";

type EvaluationFilter = { versionID?: string; status?: EvaluationStatus };

/** The evaluations of a project's prompts. They are data: only the audit log records their requests. */
export function createPromptEvaluationStore({ db, projectID, by }: StoreDeps) {
  const evaluations = (where: Prisma.Sql, rest: Prisma.Sql) =>
    db.$queryRaw<
      StoredEvaluation[]
    >`select ${EVALUATION_COLUMNS} from prompt_evaluation where "projectID" = ${projectID} and ${where} ${rest}`;
  /** A person or key has acted on an evaluation. */
  const note = ({ id, promptID, versionID }: PromptEvaluation, details: Record<string, unknown>) =>
    recordAuditEvent(db, { ...by, entityType: "prompt_evaluation", entityID: id, details: { promptID, versionID, ...details } });

  return {
    /** How many evaluations of the project wait or run. No other transaction adds one before this one ends. */
    async countUnfinished(): Promise<number> {
      await lock(db, `prompt evaluations ${projectID}`);
      const [row] = await db.$queryRaw<{ count: number }[]>`
        select count(*)::int as count from prompt_evaluation where "projectID" = ${projectID} and "finishedTime" is null`;
      return row?.count ?? 0;
    },

    async add(evaluation: PromptEvaluation, rows: PromptDataset["rows"]): Promise<void> {
      const { id, promptID, versionID, status, setup, sums, creatorName, createdTime } = evaluation;
      await db.$executeRaw`
        insert into prompt_evaluation ("projectID", id, "promptID", "versionID", status, setup, rows, sums, "creatorName", "createdTime")
        values (${projectID}, ${id}, ${promptID}, ${versionID}, ${status}, ${JSON.stringify(setup)}, ${rows.length}, ${JSON.stringify(sums)},
          ${creatorName}, ${createdTime})`;
      const inputs = rows.map(({ input }) => JSON.stringify(input));
      const expected = rows.map((one) => one.expected ?? null);
      await db.$executeRaw`
        insert into prompt_evaluation_row ("projectID", "evaluationID", row, input, expected)
        select ${projectID}, ${id}, row, input, expected
        from unnest(${inputs}::text[], ${expected}::text[]) with ordinality as given (input, expected, row)`;
      await note(evaluation, { rows: rows.length });
    },

    /** @throws AppError not_found if the prompt has no such evaluation */
    async get(promptID: string, id: string, { lock: isLocked = false } = {}): Promise<PromptEvaluation> {
      const where = Prisma.sql`"promptID" = ${promptID} and id = ${id}`;
      const [row] = await evaluations(where, isLocked ? Prisma.sql`for update` : Prisma.empty);
      if (!row) throw notFound("Prompt evaluation", id);
      return toEvaluation(row);
    },

    /** Newest first. */
    async list(promptID: string, filter: EvaluationFilter, { skip, take }: Window): Promise<{ data: PromptEvaluation[]; total: number }> {
      const where = Prisma.join([Prisma.sql`"promptID" = ${promptID}`, ...filters.equal(filter)], " and ");
      const [rows, [counted]] = await Promise.all([
        evaluations(where, Prisma.sql`order by "createdTime" desc, id limit ${take} offset ${skip}`),
        db.$queryRaw<{ total: number }[]>`
          select count(*)::int as total from prompt_evaluation where "projectID" = ${projectID} and ${where}`,
      ]);
      return { data: rows.map(toEvaluation), total: counted?.total ?? 0 };
    },

    /** In the order of the dataset. */
    async listRows({ id }: PromptEvaluation, { skip, take }: Window): Promise<EvaluationRow[]> {
      const rows = await db.$queryRaw<StoredRow[]>`
        select ${ROW_COLUMNS} from prompt_evaluation_row where "projectID" = ${projectID} and "evaluationID" = ${id}
        order by row limit ${take} offset ${skip}`;
      return rows.map(toRow);
    },

    /** Ends an evaluation that was locked. */
    async cancel(evaluation: PromptEvaluation, now: number): Promise<PromptEvaluation> {
      await db.$executeRaw`
        update prompt_evaluation set status = 'CANCELED', "finishedTime" = ${now} where "projectID" = ${projectID} and id = ${evaluation.id}`;
      await note(evaluation, { status: "CANCELED" });
      return { ...evaluation, status: "CANCELED", finishedTime: now };
    },
  };
}
