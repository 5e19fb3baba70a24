import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useMemo } from "react";
import { currentProjectID, invalidate, query } from "../../api.ts";
import { DetailFields } from "../../entity/detail-fields.tsx";
import { EntityPage } from "../../entity/entity-page.tsx";
import { EntitySteps } from "../../entity/entity-steps.tsx";
import { Facts } from "../../entity/facts.tsx";
import { HistoryTab, MAX_VERSIONS } from "../../entity/history-tab.tsx";
import { MetricsField } from "../../entity/metrics-field.tsx";
import { OverrideListsEditor, type OverrideWords } from "../../entity/override-lists.tsx";
import { UsedByTab } from "../../entity/used-by-tab.tsx";
import { kinds } from "../../kinds/kinds.ts";
import { useRefusal } from "../../session/account.ts";
import { useEnvironmentNames } from "../../shell/environments.ts";
import { environmentsInWords } from "../../targeting/environments-touched.ts";
import { Badge } from "../../ui/badge.tsx";
import { Switch } from "../../ui/field.tsx";
import { onDemand } from "../../ui/soon.tsx";
import { featureNames, LeftExperiments, ReadFeatures } from "./features.tsx";
import { HeldTab } from "./held-tab.tsx";
import { describeDraft, describeVersions, holdoutModel, type StoredHoldout, setFields, toWriteRequests } from "./holdout-draft.ts";

/** Charts come with the tab that shows them. */
const ResultsTab = onDemand(() => import("./results-tab.tsx"));
const FROM = "/projects/$projectID/holdouts/$id";

const WORDS: OverrideWords = {
  pass: { verb: "Are held out", outcome: "Held out", tone: "bad", let: (id) => `Hold ${id} out` },
  fail: { verb: "Are never held out", outcome: "Never held out", tone: "good", let: (id) => `Never hold ${id} out` },
};

export default function HoldoutPage() {
  const { id } = useParams({ from: FROM });
  return <HoldoutView key={`${currentProjectID()} ${id}`} id={id} />;
}

function HoldoutView({ id }: { id: string }) {
  const { projectID } = useParams({ from: FROM });
  const { data: answer } = useSuspenseQuery(query("getHoldout", { path: { id } }));
  const { data: overrides } = useSuspenseQuery(query("getHoldoutOverrides", { path: { id } }));
  const stored = useMemo(
    (): StoredHoldout => ({
      entity: answer.data,
      etag: answer.etag ?? "",
      overrides: overrides.data,
      overridesEtag: overrides.etag ?? "",
    }),
    [answer, overrides],
  );
  const { entity: holdout } = stored;
  const navigate = useNavigate({ from: FROM });
  const refusal = useRefusal()("edit_or_delete_configs");
  const all = useEnvironmentNames();
  const everywhere = environmentsInWords(all, all);
  return (
    <EntityPage
      noun="holdout"
      list={
        <Link to="/projects/$projectID/holdouts" params={{ projectID }}>
          Holdouts
        </Link>
      }
      stored={stored}
      model={holdoutModel}
      beside={
        <>
          <Badge tone={holdout.isEnabled ? "good" : "off"}>{holdout.isEnabled ? "Enabled" : "Disabled"}</Badge>
          <code>{holdout.id}</code>
        </>
      }
      write={toWriteRequests}
      inWords={(draft) => describeDraft(draft, featureNames(draft))}
      environments={() => everywhere}
      also={(draft) => <LeftExperiments draft={draft} />}
      reads={{
        own: ["getHoldout", "getHoldoutOverrides"],
        others: ["listHoldouts", "listHoldoutVersions", "getGate", "getExperiment", "getLayer"],
      }}
      actions={({ draft, edit, count }) => (
        <>
          <ReadFeatures draft={draft} />
          <Switch
            isSelected={draft.fields.isEnabled}
            onChange={(isEnabled) => edit(setFields(draft, { isEnabled }))}
            isDisabled={refusal !== undefined}
          >
            Enabled
          </Switch>
          <EntitySteps
            name={holdout.name}
            hasDraft={count > 0}
            steps={[
              {
                id: "delete",
                label: "Delete",
                request: { operationId: "deleteHoldout", path: { id }, ifMatch: stored.etag },
                about: <p>Users in the holdout get the features immediately.</p>,
                canForce: true,
                done: "is deleted",
                isRestorable: true,
                disabledReason: refusal,
                isDangerous: true,
                environments: everywhere,
              },
            ]}
            onConflict={() => void invalidate("getHoldout")}
            onDone={async () => {
              await navigate({ to: "/projects/$projectID/holdouts" });
              await invalidate("listHoldouts", "listChanges", "getGate", "getExperiment", "getLayer");
            }}
          />
        </>
      )}
      tabs={kinds.holdout.tabs}
      content={(tab, shared, restoreReason) => {
        switch (tab) {
          case "held":
            return <HeldTab {...shared} />;
          case "overrides":
            return (
              <OverrideListsEditor
                idType={holdout.idType}
                lists={shared.draft.overrides}
                onChange={(lists) => shared.onChange({ ...shared.draft, overrides: lists })}
                disabledReason={shared.disabledReason}
                description="Force specific IDs in or out of the holdout. Overrides of one environment come first."
                words={WORDS}
                empty="The share applies to everyone."
              />
            );
          case "results":
            return <ResultsTab id={id} />;
          case "history":
            return <HoldoutHistory stored={stored} disabledReason={restoreReason} environments={everywhere} />;
          case "used-by":
            return (
              <UsedByTab type="holdout" id={id} noun="holdout">
                Teams that add this holdout to their new gates and experiments are listed here.
              </UsedByTab>
            );
          case "details":
            return (
              <DetailFields {...shared} fields={shared.draft.fields} set={(fields) => shared.onChange(setFields(shared.draft, fields))}>
                <Facts
                  id={holdout.id}
                  of={holdout}
                  facts={[
                    { term: "Unit ID type", is: <bdi>{holdout.idType}</bdi> },
                    { term: "Target apps", is: <bdi>{holdout.targetApps.join(", ") || "All"}</bdi> },
                  ]}
                />
                <MetricsField
                  label="Monitoring metrics"
                  description="Compare users outside the holdout with users in it."
                  metrics={shared.draft.fields.monitoringMetrics}
                  onChange={(monitoringMetrics) => shared.onChange(setFields(shared.draft, { monitoringMetrics }))}
                  disabledReason={shared.disabledReason}
                />
              </DetailFields>
            );
        }
      }}
    />
  );
}

type HistoryProps = { stored: StoredHoldout; disabledReason: string | undefined; environments: string };

function HoldoutHistory({ stored: { entity, etag }, disabledReason, environments }: HistoryProps) {
  return (
    <HistoryTab
      read={useQuery(query("listHoldoutVersions", { path: { id: entity.id }, query: { limit: MAX_VERSIONS } }))}
      name={entity.name}
      noun="holdout"
      inWords={(_, before, after) => describeVersions(before, after)}
      restore={(version) => ({ operationId: "restoreHoldoutVersion", path: { id: entity.id, version }, ifMatch: etag })}
      environments={() => environments}
      disabledReason={disabledReason}
      onReadAgain={() => void invalidate("getHoldout", "listHoldouts", "listHoldoutVersions", "listChanges")}
    />
  );
}
