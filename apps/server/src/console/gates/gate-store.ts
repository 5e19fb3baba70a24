import { Prisma } from "../../generated/prisma/client.ts";
import { entityStore, type Kind, type WriteOptions } from "../../store/entity-store.ts";
import { filters } from "../../store/filters.ts";
import type { StoreContext } from "../../store/store-context.ts";
import { NO_OVERRIDES } from "../common/override-lists.ts";
import { createOverridesStore } from "../common/overrides-store.ts";
import type { Window } from "../common/page.ts";
import { nextRollout } from "../common/rollout.ts";
import { type Gate, namedByGate, withoutStaleness } from "./gate.ts";
import { foundGateChecks } from "./gate-check-store.ts";
import { rolloutRate } from "./gate-staleness.ts";

type GateFilter = {
  creatorID?: string | null;
  creatorName?: string | null;
  releasePipelineID?: string | null;
  idType?: string[];
  type?: Gate["type"][];
  typeReason?: Gate["typeReason"][];
  rolloutRate?: string[];
  passRate?: string[];
  tags?: string[];
  targetAppID?: string;
  includeArchived?: boolean;
};

const kind: Kind<Gate> = {
  table: "gate",
  type: "gate",
  idOf: ({ id }) => id,
  references: namedByGate,
  isArchived: ({ status }) => status === "Archived",
  columns: (gate) => ({
    creatorID: gate.creatorID,
    creatorName: gate.creatorName,
    releasePipelineID: gate.releasePipelineID,
    idType: gate.idType,
    type: gate.type,
    typeReason: gate.typeReason,
    rolloutRate: rolloutRate(gate.rules),
    tags: gate.tags,
    targetApps: gate.targetApps,
    isArchived: gate.status === "Archived",
  }),
  unlistedColumns: (gate) => ({
    lastModifiedTime: gate.lastModifiedTime,
    dueTime: gate.status === "Archived" ? null : nextRollout(gate.rules),
  }),
};

/** @param now ms since the epoch */
export function createGateStore(context: StoreContext, { now }: { now: number }) {
  const store = entityStore(context, { ...kind, found: foundGateChecks(now) });
  return {
    ...store,

    replace: (before: Gate, after: Gate, options?: WriteOptions) => store.replace(before, withoutStaleness(before, after), options),

    /** Newest first. The pass rate is that of the checks since `checkedSince`, ms since the epoch. */
    list: (filter: GateFilter, window: Window, checkedSince: number) =>
      store.listWhere(toFilters(context.projectID, filter, checkedSince), window, { areLogged: filter.passRate === undefined }),

    overrides: (gateID: string) => createOverridesStore(context, "gate", gateID, NO_OVERRIDES),
  };
}

function toFilters(projectID: string, filter: GateFilter, checkedSince: number): Prisma.Sql[] {
  const { includeArchived, creatorID, creatorName, releasePipelineID, tags, idType, type, typeReason, rolloutRate, passRate, targetAppID } =
    filter;
  return [
    ...filters.equal({ creatorID, creatorName, releasePipelineID, isArchived: includeArchived ? undefined : false }),
    ...filters.oneOf({ idType, type, typeReason, rolloutRate }),
    ...filters.holding({ tags }),
    ...filters.ofTargetApp(projectID, targetAppID),
    ...(passRate === undefined ? [] : [Prisma.sql`${passRateSince(checkedSince)} = any(${passRate}::text[])`]),
  ];
}

/** The pass rate of a gate of the list; null where it was not checked. */
function passRateSince(time: number): Prisma.Sql {
  return Prisma.sql`(
    select case when sum(passes) = 0 then '0' when sum(fails + empties) = 0 then '100' else 'INBETWEEN' end
    from gate_checks as checks where checks."projectID" = gate."projectID" and checks."gateID" = gate."id" and checks."hour" >= ${time}
    having sum(passes + fails + empties) > 0)`;
}
