import { notFound } from "../../errors.ts";
import type { Prisma } from "../../generated/prisma/client.ts";
import { fromText, toText } from "../../store/entity-text.ts";
import type { StoreContext } from "../../store/store-context.ts";
import type { Window } from "../common/page.ts";
import type { Gate } from "./gate.ts";

type GateFilter = {
  creatorID?: string | null;
  creatorName?: string | null;
  releasePipelineID?: string | null;
  includeArchived?: boolean;
  tags?: string[];
};

export function createGateStore({ db, projectID, log }: StoreContext) {
  const subject = (id: string) => ({ table: "gate", key: { projectID, id }, type: "gate", id }) as const;
  return {
    /** Newest first. */
    async list(filter: GateFilter, window: Window): Promise<{ gates: Gate[]; total: number }> {
      const where = toWhere(projectID, filter);
      const [rows, total] = await Promise.all([
        db.gate.findMany({ where, ...window, orderBy: [{ createdTime: "desc" }, { id: "asc" }], select: { entity: true } }),
        db.gate.count({ where }),
      ]);
      return { gates: rows.map(toGate), total };
    },

    /** @throws AppError not_found */
    async get(id: string): Promise<Gate> {
      const row = await db.gate.findUnique({ where: { projectID_id: { projectID, id } }, select: { entity: true } });
      if (!row) throw notFound("Gate", id);
      return toGate(row);
    },

    create: (gate: Gate) => log.create(subject(gate.id), gate, toColumns(gate)),
    replace: (before: Gate, after: Gate, reason?: string) => log.replace(subject(before.id), before, after, toColumns(after), reason),
    delete: (gate: Gate) => log.delete(subject(gate.id), gate),
  };
}

function toWhere(projectID: string, { includeArchived, tags, ...columns }: GateFilter): Prisma.GateWhereInput {
  return {
    projectID,
    ...columns,
    ...(!includeArchived && { isArchived: false }),
    ...(tags && { tags: { hasEvery: tags } }),
  };
}

function toGate({ entity }: { entity: string }): Gate {
  return fromText(entity);
}

function toColumns(gate: Gate) {
  return {
    version: gate.version,
    createdTime: gate.createdTime,
    creatorID: gate.creatorID,
    creatorName: gate.creatorName,
    releasePipelineID: gate.releasePipelineID,
    tags: gate.tags,
    isArchived: gate.status === "Archived",
    entity: toText(gate),
  };
}
