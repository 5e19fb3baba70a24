import { useSuspenseQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
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
import { faultsOfRules } from "../../targeting/rule-faults.ts";
import { Badge } from "../../ui/badge.tsx";
import { Notice } from "../../ui/notice.tsx";
import { onDemand, soon } from "../../ui/soon.tsx";
import { DynamicConfigActions } from "./actions.tsx";
import {
  type ConfigDraft,
  configModel,
  faultsOfTexts,
  knownEntities,
  placeOf,
  type StoredConfig,
  toPreview,
  toWriteRequests,
} from "./dynamic-config-draft.ts";
import { KnownFaults } from "./known-faults.tsx";
import { STATUS_TONES } from "./states.ts";
import { ValuesTab } from "./values-tab.tsx";

const RecentExposures = onDemand(() => import("../../entity/recent-exposures.tsx"));
const ReleaseNotice = onDemand(() => import("../../releases/release-notice.tsx"));
const SchemaTab = soon(() => import("./schema-tab.tsx"));
const DetailsTab = soon(() => import("./details-tab.tsx"));
const DynamicConfigHistory = soon(() => import("./history-tab.tsx"));

const UsedByTab = soon(async () => ({ default: (await import("../../entity/used-by-tab.tsx")).UsedByTab }));
const FROM = "/projects/$projectID/dynamic-configs/$id";

const findFaults = (draft: ConfigDraft) => [...faultsOfRules(draft.rules, draft.stored.entity.rules, Date.now()), ...faultsOfTexts(draft)];

export default function DynamicConfigPage() {
  const { id } = useParams({ from: FROM });
  // A draft belongs to one dynamic config: another one starts a new draft.
  return <DynamicConfigView key={`${currentProjectID()} ${id}`} id={id} />;
}

function DynamicConfigView({ id }: { id: string }) {
  const { projectID } = useParams({ from: FROM });
  const { data: answer } = useSuspenseQuery(query("getDynamicConfig", { path: { id } }));
  const stored = useMemo((): StoredConfig => ({ entity: answer.data, etag: answer.etag ?? "" }), [answer]);
  const { entity: config } = stored;
  const all = useEnvironmentNames();
  const names = usePipelineNames();
  const isArchived = config.status === "Archived";
  return (
    <EntityPage
      noun="dynamic config"
      list={
        <Link to="/projects/$projectID/dynamic-configs" params={{ projectID }}>
          Dynamic configs
        </Link>
      }
      stored={stored}
      model={configModel}
      beside={
        <>
          <Badge tone={STATUS_TONES[config.status]}>{config.status}</Badge>
          <OffBadge of={config} />
          <code>{config.id}</code>
        </>
      }
      use={
        <PartBoundary>
          <Suspense>
            <RecentExposures type="dynamicConfigs" id={id} />
          </Suspense>
        </PartBoundary>
      }
      lockedReason={isArchived ? "Unarchive the dynamic config to change it." : undefined}
      notices={
        <>
          {isArchived && <Notice>This dynamic config is archived. Everyone gets the default value.</Notice>}
          {config.activeRelease && (
            <PartBoundary>
              <Suspense>
                <ReleaseNotice releaseID={config.activeRelease.releaseID} />
              </Suspense>
            </PartBoundary>
          )}
        </>
      }
      actions={({ draft, edit, count }, disabledReason) => (
        <>
          <KnownFaults draft={draft} />
          <DynamicConfigActions draft={draft} onChange={edit} hasDraft={count > 0} disabledReason={disabledReason} />
        </>
      )}
      findFaults={findFaults}
      placeOf={placeOf}
      write={toWriteRequests}
      inWords={(draft, changes) => describeChanges(changes, knownEntities(draft), names, all)}
      environments={(draft) =>
        environmentsInWords(environmentsTouched({ flag: draft.stored.entity }, { flag: toPreview(draft) }, all), all)
      }
      also={<ReadBy type="dynamic_config" id={id} noun="dynamic config" />}
      reads={{ own: ["getDynamicConfig"], others: ["listDynamicConfigs", "listDynamicConfigVersions"] }}
      tabs={kinds.dynamic_config.tabs}
      content={(tab, shared, restoreReason) => {
        switch (tab) {
          case "values":
            return <ValuesTab {...shared} />;
          case "schema":
            return <SchemaTab {...shared} />;
          case "history":
            return <DynamicConfigHistory stored={stored} disabledReason={restoreReason ?? releaseLock(config)} names={names} />;
          case "used-by":
            return (
              <UsedByTab type="dynamic_config" id={id} noun="dynamic config">
                Param stores that use it are listed here.
              </UsedByTab>
            );
          case "details":
            return <DetailsTab {...shared} />;
        }
      }}
    />
  );
}
