import { useSuspenseQuery } from "@tanstack/react-query";
import { Link, useParams, useSearch } from "@tanstack/react-router";
import { Suspense, useMemo } from "react";
import { currentProjectID, query } from "../../api.ts";
import { EntityPage } from "../../entity/entity-page.tsx";
import { OffBadge } from "../../entity/off-badge.tsx";
import { ReadBy } from "../../entity/read-by.tsx";
import { PartBoundary } from "../../entity/tab-boundary.tsx";
import { kinds } from "../../kinds/kinds.ts";
import { releaseLock } from "../../releases/locked.ts";
import { usePipelineNames } from "../../releases/use-pipelines.ts";
import { useEnvironmentNames } from "../../shell/environments.ts";
import { describeChanges } from "../../targeting/changes.ts";
import { environmentsInWords, environmentsTouched } from "../../targeting/environments-touched.ts";
import { Badge } from "../../ui/badge.tsx";
import { Notice } from "../../ui/notice.tsx";
import { onDemand, soon } from "../../ui/soon.tsx";
import { GateActions } from "./gate-actions.tsx";
import { findFaults, type GateDraft, gateModel, knownEntities, type StoredGate, toPreview, toWriteRequests } from "./gate-draft.ts";
import { STALE_REASONS, STATUS_NAMES, STATUS_TONES } from "./gate-state.ts";
import { TargetingTab } from "./targeting-tab.tsx";

/** Charts come with the tab that shows them. */
const ChecksTab = onDemand(() => import("./checks-tab.tsx"));
const ResultsTab = onDemand(() => import("./results-tab.tsx"));
const DetailsTab = soon(() => import("./details-tab.tsx"));
const GateHistory = soon(() => import("./history-tab.tsx"));
const Traffic = onDemand(() => import("./traffic.tsx"));
const ReleaseNotice = onDemand(() => import("../../releases/release-notice.tsx"));
const HoldoutsNotice = onDemand(() => import("../../entity/holdouts-notice.tsx"));
const PausedNotice = onDemand(() => import("./paused-notice.tsx"));
const OverridesTab = soon(() => import("./overrides-tab.tsx"));
const UsedByTab = soon(async () => ({ default: (await import("../../entity/used-by-tab.tsx")).UsedByTab }));
const FROM = "/projects/$projectID/gates/$id";

const faultsNow = (draft: GateDraft) => findFaults(draft, Date.now());

export default function GatePage() {
  const { id } = useParams({ from: FROM });
  // A draft belongs to one gate: another one starts a new draft.
  return <GateView key={`${currentProjectID()} ${id}`} id={id} />;
}

function GateView({ id }: { id: string }) {
  const { projectID } = useParams({ from: FROM });
  const { environment } = useSearch({ from: FROM });
  const { data: answer } = useSuspenseQuery(query("getGate", { path: { id } }));
  const { data: overridesAnswer } = useSuspenseQuery(query("getGateOverrides", { path: { id } }));
  const stored = useMemo(
    (): StoredGate => ({
      entity: answer.data,
      etag: answer.etag ?? "",
      overrides: overridesAnswer.data,
      overridesEtag: overridesAnswer.etag ?? "",
    }),
    [answer, overridesAnswer],
  );
  const { entity: gate } = stored;
  const all = useEnvironmentNames();
  const names = usePipelineNames();
  const isArchived = gate.status === "Archived";
  return (
    <EntityPage
      noun="gate"
      list={
        <Link to="/projects/$projectID/gates" params={{ projectID }}>
          Gates
        </Link>
      }
      stored={stored}
      model={gateModel}
      beside={
        <>
          <Badge tone={STATUS_TONES[gate.status]}>{STATUS_NAMES[gate.status]}</Badge>
          <OffBadge of={gate} />
          {gate.typeReason !== "NONE" && <Badge tone="warn">{STALE_REASONS[gate.typeReason]}</Badge>}
          <code>{gate.id}</code>
        </>
      }
      use={
        <PartBoundary>
          <Suspense>
            <Traffic id={id} environment={environment} />
          </Suspense>
        </PartBoundary>
      }
      lockedReason={isArchived ? "Unarchive the gate to change it." : undefined}
      notices={
        <>
          {isArchived && <Notice>This gate is archived. Every check fails.</Notice>}
          {gate.activeRelease && (
            <PartBoundary>
              <Suspense>
                <ReleaseNotice releaseID={gate.activeRelease.releaseID} />
              </Suspense>
            </PartBoundary>
          )}
          {gate.pausedBy && (
            <PartBoundary>
              <Suspense>
                <PausedNotice gate={gate} />
              </Suspense>
            </PartBoundary>
          )}
          {gate.holdoutIDs.length > 0 && (
            <PartBoundary>
              <Suspense>
                <HoldoutsNotice ids={gate.holdoutIDs} effect="don’t get this gate" />
              </Suspense>
            </PartBoundary>
          )}
        </>
      }
      actions={({ draft, edit, count }, disabledReason) => (
        <GateActions stored={stored} draft={draft} onChange={edit} hasDraft={count > 0} disabledReason={disabledReason} />
      )}
      findFaults={faultsNow}
      write={toWriteRequests}
      inWords={(draft, changes) => describeChanges(changes, knownEntities(draft), names, all)}
      environments={(draft) => {
        const { entity, overrides } = draft.stored;
        const after = { flag: toPreview(draft), overrides: draft.overrides };
        return environmentsInWords(environmentsTouched({ flag: entity, overrides }, after, all), all);
      }}
      also={<ReadBy type="gate" id={id} noun="gate" />}
      reads={{ own: ["getGate", "getGateOverrides"], others: ["listGates", "listGateVersions"] }}
      tabs={kinds.gate.tabs}
      content={(tab, shared, restoreReason) => {
        switch (tab) {
          case "targeting":
            return <TargetingTab {...shared} />;
          case "overrides":
            return <OverridesTab {...shared} />;
          case "checks":
            return <ChecksTab gate={gate} />;
          case "results":
            return <ResultsTab gate={gate} />;
          case "history":
            return <GateHistory stored={stored} disabledReason={restoreReason ?? releaseLock(gate)} names={names} />;
          case "used-by":
            return (
              <UsedByTab type="gate" id={id} noun="gate" isStale={gate.typeReason !== "NONE"}>
                Gates, segments, experiments, and holdouts that use it are listed here.
              </UsedByTab>
            );
          case "details":
            return <DetailsTab {...shared} />;
        }
      }}
    />
  );
}
