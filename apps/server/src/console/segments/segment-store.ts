import { entityStore, type Kind } from "../../store/entity-store.ts";
import type { StoreContext } from "../../store/store-context.ts";
import type { Window } from "../common/page.ts";
import { namedBySegment, type Segment } from "./segment.ts";

const kind: Kind<Segment> = {
  table: "segment",
  type: "segment",
  idOf: ({ id }) => id,
  references: namedBySegment,
  columns: () => ({}),
};

export function createSegmentStore(context: StoreContext) {
  const store = entityStore(context, kind);
  return {
    ...store,

    /** Newest first. */
    list: (window: Window) => store.list([], window),
  };
}
