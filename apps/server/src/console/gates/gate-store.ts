import { Prisma } from "../../generated/prisma/client.ts";
import { type DeleteOptions, entityStore } from "../../store/entities/entity-store.ts";
import { filters } from "../../store/entities/filters.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { BY_NAME, BY_OWNER } from "../common/listed.ts";
import { needsOfLifecycle } from "../common/needs.ts";
import { NO_OVERRIDES } from "../common/override-lists.ts";
import { createOverridesStore, overrideListsKind } from "../common/overrides-store.ts";
import { isArchivedIn, type Window } from "../common/page.ts";
import { BY_RULES } from "../common/parts-elsewhere.ts";
import { nextRollout } from "../common/rollout.ts";
import { requireEnvironments, requireSwitches, type SwitchFilter, switchConditions } from "../environments/switch-store.ts";
import { type ReleasedWriteOptions, requireNoRelease, withRelease } from "../releases/begin-release-store.ts";
import { createGuardrailStore } from "../results/guardrail-store.ts";
import { createResultStore } from "../results/result-store.ts";
import { withActiveReview } from "../reviews/active-review-store.ts";
import type { NamedKind } from "../slice.ts";
import { type Gate, namedByGate, reasonAgainstComparing, withoutStaleness } from "./gate.ts";
import { createGateCheckStore } from "./gate-check-store.ts";
import { rolloutRate } from "./gate-staleness.ts";
import type { GuardrailCheck } from "./guardrails.ts";
import { laidOverGate } from "./stale-gate-store.ts";

type GateFilter = {
  creatorID?: string | null;
  creatorName?: string | null;
  releasePipelineID?: string | null;
  idType?: string[];
  type?: Gate["type"][];
  typeReason?: Gate["typeReason"][];
  rolloutRate?: string[];
  status?: Gate["status"][];
  passRate?: string[];
  tags?: string[];
  targetAppID?: string;
  teamID?: string;
  ownerID?: string;
  isPaused?: boolean;
  includeArchived?: boolean;
  nextRolloutBefore?: number;
} & SwitchFilter;

export const gateKind: NamedKind<"gate", Gate> = {
  table: "gate",
  type: "gate",
  getID: (gate) => gate.id,
  references: namedByGate,
  isArchived: (gate) => gate.status === "Archived",
  columns: {
    ...BY_OWNER,
    creatorID: (gate) => gate.creatorID,
    creatorName: (gate) => gate.creatorName,
    releasePipelineID: (gate) => gate.releasePipelineID,
    idType: (gate) => gate.idType,
    type: (gate) => gate.type,
    typeReason: { begins: "NONE" },
    rolloutRate: (gate) => rolloutRate(gate.rules),
    tags: (gate) => gate.tags,
    targetApps: (gate) => gate.targetApps,
    isArchived: (gate) => gate.status === "Archived",
    status: (gate) => gate.status,
    isPaused: (gate) => gate.pausedBy !== undefined,
    dueTime: (gate) => (gate.status === "Archived" || gate.pausedBy ? null : nextRollout(gate.rules)),
  },
  listing: BY_NAME,
  named: { as: "gate", check: "exists", isArchived: Prisma.sql`"isArchived"` },
  ruleset: "gates",
  needs: needsOfLifecycle,
  reach: BY_RULES,
};

export const gateOverridesKind = overrideListsKind("gate", "gateOverrides");

export function createGateStore(deps: StoreDeps) {
  const store = entityStore(deps, { computed: laidOverGate(deps.by.now), ...gateKind });
  const checks = createGateCheckStore(deps);
  const guardrails = createGuardrailStore<GuardrailCheck>(deps, { type: "gate", getPartID: ({ ruleID }) => ruleID });
  const overrides = (gateID: string) => createOverridesStore(deps, gateOverridesKind, gateID, NO_OVERRIDES);
  const released = (before: Gate | null, after: Gate) =>
    withRelease(deps, { type: "gate", before, after, reasonAgainstMetrics: reasonAgainstComparing });
  const replace = async (before: Gate, after: Gate, { isPlanned = false, ...options }: ReleasedWriteOptions = {}): Promise<Gate> => {
    await requireSwitches(deps, before, after);
    const next = isPlanned ? after : await released(before, after);
    const written = await store.replace(toStored(before), toStored(next), options);
    const begunPhase = next.activeRelease !== before.activeRelease && next.activeRelease?.guardrails.length;
    if (begunPhase) await guardrails.recheck(next.id);
    return withActiveReview(written, before.activeReview ?? null);
  };
  return {
    overrides,
    checks,
    guardrails,
    ...store,
    replace,

    async create(gate: Gate): Promise<Gate> {
      await requireSwitches(deps, null, gate);
      return store.create(await released(null, gate));
    },

    /**
     * Stores a switch. @param environment the environment that was switched; undefined if everywhere
     * @throws AppError conflict if `before` is outdated; invalid_request if the project has no such environment
     */
    async turn(before: Gate, after: Gate, environment: string | undefined): Promise<Gate> {
      if (environment !== undefined) await requireEnvironments(deps, [{ name: environment, property: "environment" }]);
      return replace(before, after);
    },

    /** Deletes its overrides, checks, results and alerts as well. @throws AppError conflict if `gate` is outdated, referenced or in a release */
    async delete(gate: Gate, options?: DeleteOptions): Promise<void> {
      requireNoRelease("gate", gate);
      await store.delete(gate, options);
      await overrides(gate.id).delete();
      await checks.delete(gate.id);
      await guardrails.delete(gate.id);
      await createResultStore(deps).delete("gate", gate.id);
    },

    /** Newest first. The pass rate counts checks since `checkedSince`, ms since the epoch. */
    async list(filter: GateFilter, window: Window, checkedSince: number) {
      const conditions = [...toFilters(deps.projectID, filter, checkedSince), ...(await switchConditions(deps, filter))];
      return store.listWhere(conditions, window, { areLogged: areLogged(filter) });
    },
  };
}

/** The gate without what reads add. */
const toStored = (gate: Gate): Gate => withActiveReview(withoutStaleness(gate), null);

/** Checks and staleness are not in the change log. */
const areLogged = ({ passRate, typeReason, type }: GateFilter): boolean =>
  passRate === undefined && typeReason === undefined && !type?.includes("STALE");

/** Gates of these types. `STALE` stands for every gate that is stale. */
const ofTypes = (types: Gate["type"][]): Prisma.Sql =>
  Prisma.sql`("type" = any(${types}::text[])${types.includes("STALE") ? Prisma.sql` or "typeReason" <> 'NONE'` : Prisma.empty})`;

function toFilters(projectID: string, filter: GateFilter, checkedSince: number): Prisma.Sql[] {
  const {
    creatorID,
    creatorName,
    releasePipelineID,
    tags,
    idType,
    type,
    typeReason,
    rolloutRate,
    status,
    passRate,
    targetAppID,
    teamID,
    ownerID,
    isPaused,
    nextRolloutBefore,
  } = filter;
  return [
    ...filters.equal({ creatorID, creatorName, releasePipelineID, teamID, ownerID, isPaused, isArchived: isArchivedIn(filter) }),
    ...filters.oneOf({ idType, typeReason, rolloutRate, status }),
    ...(type === undefined ? [] : [ofTypes(type)]),
    ...filters.holding({ tags }),
    ...filters.below({ dueTime: nextRolloutBefore }),
    ...filters.ofTargetApp(projectID, targetAppID),
    ...(passRate === undefined ? [] : [Prisma.sql`${passRateSince(checkedSince)} = any(${passRate}::text[])`]),
  ];
}

/** The pass rate of a listed gate; null if it was not checked. */
function passRateSince(time: number): Prisma.Sql {
  return Prisma.sql`(
    select case when sum(passes) = 0 then '0' when sum(fails + empties) = 0 then '100' else 'INBETWEEN' end
    from gate_checks as checks where checks."projectID" = gate."projectID" and checks."gateID" = gate."id" and checks."hour" >= ${time}
    having sum(passes + fails + empties) > 0)`;
}
