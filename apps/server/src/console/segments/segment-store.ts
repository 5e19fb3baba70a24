import { Prisma } from "../../generated/prisma/client.ts";
import { type DeleteOptions, entityStore } from "../../store/entities/entity-store.ts";
import { filters, type Labels } from "../../store/entities/filters.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { BY_LABELS, BY_NAME } from "../common/listed.ts";
import { needsOfTagged } from "../common/needs.ts";
import type { Window } from "../common/page.ts";
import type { NamedKind } from "../slice.ts";
import { isArchived, namedBySegment, type Segment } from "./segment.ts";
import { createSegmentIDStore } from "./segment-id-store.ts";
import { reachOfSegment } from "./segment-reach.ts";

type SegmentFilter = { includeArchived?: boolean } & Labels;

export const segmentKind: NamedKind<"segment", Segment> = {
  table: "segment",
  type: "segment",
  getID: (segment) => segment.id,
  references: namedBySegment,
  isArchived,
  columns: { isArchived, ...BY_LABELS },
  listing: BY_NAME,
  named: { as: "segment", check: "exists", isArchived: Prisma.sql`"isArchived"` },
  ruleset: "segments",
  needs: needsOfTagged,
  reach: reachOfSegment,
};

export function createSegmentStore(deps: StoreDeps) {
  const store = entityStore(deps, segmentKind);
  const ids = createSegmentIDStore(deps);
  return {
    ...store,

    /** Deletes its ids as well. @throws AppError conflict if `segment` is outdated, or something references it */
    async delete(segment: Segment, options?: DeleteOptions): Promise<void> {
      await store.delete(segment, options);
      await ids.clear(segment.id);
    },

    /** Newest first. */
    list: (filter: SegmentFilter, window: Window) => store.listWhere(toFilters(filter), window),

    ids,
  };
}

function toFilters({ includeArchived, ...labels }: SegmentFilter): Prisma.Sql[] {
  return [...filters.equal({ isArchived: includeArchived ? undefined : false }), ...filters.labeled(labels)];
}
