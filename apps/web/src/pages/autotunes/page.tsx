import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { currentProjectID, invalidate, query } from "../../api.ts";
import { DetailFields } from "../../entity/detail-fields.tsx";
import { EntityPage } from "../../entity/entity-page.tsx";
import { Facts } from "../../entity/facts.tsx";
import { HistoryTab, MAX_VERSIONS } from "../../entity/history-tab.tsx";
import { UseInCode } from "../../entity/use-in-code.tsx";
import { kinds } from "../../kinds/kinds.ts";
import { setFields } from "../../saving/draft-model.ts";
import { useEnvironmentNames } from "../../shell/environments.ts";
import { environmentsInWords } from "../../targeting/environments-touched.ts";
import { Badge } from "../../ui/badge.tsx";
import { TextField } from "../../ui/field.tsx";
import { onDemand } from "../../ui/soon.tsx";
import { autotuneModel, describeDraft, describeVersions, findFaults, type StoredAutotune, toWriteRequests } from "./autotune-draft.ts";
import { AutotuneLifecycle } from "./lifecycle.tsx";
import { SettingsTab } from "./settings-tab.tsx";
import { SetupChecklist } from "./setup-checklist.tsx";
import { autotuneState, STATES } from "./states.ts";
import { VariantsTab } from "./variants-tab.tsx";

/** Charts come with the tab that shows them. */
const LearningTab = onDemand(() => import("./learning-tab.tsx"));
const FROM = "/projects/$projectID/autotunes/$id";

export default function AutotunePage() {
  const { id } = useParams({ from: FROM });
  return <AutotuneView key={`${currentProjectID()} ${id}`} id={id} />;
}

function AutotuneView({ id }: { id: string }) {
  const { projectID } = useParams({ from: FROM });
  const { data: answer } = useSuspenseQuery(query("getAutotune", { path: { id } }));
  const stored = useMemo((): StoredAutotune => ({ entity: answer.data, etag: answer.etag ?? "" }), [answer]);
  const { entity: autotune } = stored;
  const all = useEnvironmentNames();
  const everywhere = environmentsInWords(all, all);
  const state = autotuneState(autotune);
  const { name, tone } = STATES[state];
  // A start doesn't take its author away from the variants.
  const [usualTab] = useState((): "variants" | "learning" => (state === "waiting" ? "variants" : "learning"));
  return (
    <EntityPage
      noun="autotune"
      list={
        <Link to="/projects/$projectID/autotunes" params={{ projectID }}>
          Autotunes
        </Link>
      }
      stored={stored}
      model={autotuneModel}
      beside={
        <>
          <Badge tone={tone}>{name}</Badge>
          <code>{autotune.id}</code>
        </>
      }
      findFaults={findFaults}
      write={toWriteRequests}
      inWords={describeDraft}
      environments={() => everywhere}
      reads={{ own: ["getAutotune"], others: ["listAutotunes", "listAutotuneVersions"] }}
      actions={({ count }) => (
        <>
          <UseInCode kind="autotune" id={autotune.id} />
          <AutotuneLifecycle stored={stored} hasDraft={count > 0} environments={everywhere} />
        </>
      )}
      tabs={kinds.autotune.tabs}
      usualTab={usualTab}
      content={(tab, shared, restoreReason) => {
        switch (tab) {
          case "learning":
            return <LearningTab autotune={autotune} />;
          case "variants":
            return (
              <>
                {state === "waiting" && <SetupChecklist draft={shared.draft} />}
                <VariantsTab {...shared} />
              </>
            );
          case "settings":
            return (
              <>
                {state === "waiting" && <SetupChecklist draft={shared.draft} />}
                <SettingsTab {...shared} />
              </>
            );
          case "history":
            return <AutotuneHistory stored={stored} disabledReason={restoreReason} environments={everywhere} />;
          case "details":
            return (
              <DetailFields
                {...shared}
                fields={shared.draft.fields}
                set={(changed) => shared.onChange({ ...shared.draft, fields: { ...shared.draft.fields, ...changed } })}
              >
                <Facts
                  id={autotune.id}
                  of={autotune}
                  facts={[
                    { term: "Unit ID type", is: <bdi>{autotune.idType}</bdi> },
                    { term: "Target apps", is: <bdi>{autotune.targetApps?.join(", ") || "All"}</bdi> },
                  ]}
                />
                <TextField
                  label="Purpose"
                  rows={4}
                  value={shared.draft.fields.goalRichText}
                  onChange={(goalRichText) => shared.onChange(setFields(shared.draft, { goalRichText }))}
                  isDisabled={shared.disabledReason !== undefined}
                />
              </DetailFields>
            );
        }
      }}
    />
  );
}

type HistoryProps = { stored: StoredAutotune; disabledReason: string | undefined; environments: string };

function AutotuneHistory({ stored: { entity, etag }, disabledReason, environments }: HistoryProps) {
  return (
    <HistoryTab
      read={useQuery(query("listAutotuneVersions", { path: { id: entity.id }, query: { limit: MAX_VERSIONS } }))}
      name={entity.name ?? entity.id}
      noun="autotune"
      inWords={(_, before, after) => describeVersions(before, after)}
      restore={(version) => ({ operationId: "restoreAutotuneVersion", path: { id: entity.id, version }, ifMatch: etag })}
      environments={() => environments}
      disabledReason={disabledReason}
      onReadAgain={() => void invalidate("getAutotune", "listAutotunes", "listAutotuneVersions", "listChanges")}
    />
  );
}
