import { notFound } from "../../errors.ts";
import { fromText, toText } from "../../store/entity-text.ts";
import type { StoreContext } from "../../store/store-context.ts";
import type { Window } from "../common/page.ts";
import type { Segment } from "./segment.ts";

export function createSegmentStore({ db, projectID, log }: StoreContext) {
  const subject = (id: string) => ({ table: "segment", key: { projectID, id }, type: "segment", id }) as const;
  return {
    /** Newest first. */
    async list(window: Window): Promise<{ segments: Segment[]; total: number }> {
      const where = { projectID };
      const [rows, total] = await Promise.all([
        db.segment.findMany({ where, ...window, orderBy: [{ createdTime: "desc" }, { id: "asc" }], select: { entity: true } }),
        db.segment.count({ where }),
      ]);
      return { segments: rows.map(toSegment), total };
    },

    /** @throws AppError not_found */
    async get(id: string): Promise<Segment> {
      const row = await db.segment.findUnique({ where: { projectID_id: { projectID, id } }, select: { entity: true } });
      if (!row) throw notFound("Segment", id);
      return toSegment(row);
    },

    create: (segment: Segment) => log.create(subject(segment.id), segment, toColumns(segment)),
    delete: (segment: Segment) => log.delete(subject(segment.id), segment),
  };
}

function toSegment({ entity }: { entity: string }): Segment {
  return fromText(entity);
}

function toColumns(segment: Segment) {
  return { version: segment.version, createdTime: segment.createdTime, entity: toText(segment) };
}
