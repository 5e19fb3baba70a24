import type { Prisma } from "../../generated/prisma/client.ts";
import { entityStore, type Kind } from "../../store/entity-store.ts";
import { filters } from "../../store/filters.ts";
import type { StoreContext } from "../../store/store-context.ts";
import type { Window } from "../common/page.ts";
import { isArchived, namedBySegment, type Segment } from "./segment.ts";

type SegmentFilter = { includeArchived?: boolean };

const kind: Kind<Segment> = {
  table: "segment",
  type: "segment",
  idOf: ({ id }) => id,
  references: namedBySegment,
  isArchived,
  columns: (segment) => ({ isArchived: isArchived(segment) }),
};

export function createSegmentStore(context: StoreContext) {
  const store = entityStore(context, kind);
  return {
    ...store,

    /** Newest first. */
    list: (filter: SegmentFilter, window: Window) => store.listWhere(toFilters(filter), window),
  };
}

function toFilters({ includeArchived }: SegmentFilter): Prisma.Sql[] {
  return filters.equal({ isArchived: includeArchived ? undefined : false });
}
