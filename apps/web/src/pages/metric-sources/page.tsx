import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useMemo } from "react";
import { currentProjectID, invalidate, query } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { type EditProps, EntityPage } from "../../entity/entity-page.tsx";
import { EntitySteps } from "../../entity/entity-steps.tsx";
import { Facts } from "../../entity/facts.tsx";
import { HistoryTab, MAX_VERSIONS } from "../../entity/history-tab.tsx";
import { TagsField } from "../../entity/tags-field.tsx";
import { UnitColumns } from "../../entity/unit-columns.tsx";
import { setFields } from "../../saving/draft-model.ts";
import { useRefusal } from "../../session/account.ts";
import { Section } from "../../shell/page.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Checkbox, TextField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import {
  describeDraft,
  describeVersions,
  type Fields,
  faultsOfDraft,
  type MetricSourceDraft,
  metricSourceModel,
  type StoredMetricSource,
  writeOf,
} from "./metric-source-draft.ts";
import { PreviewButton, PreviewResult, usePreview } from "./preview.tsx";
import { ComputedFields, faultOf, RowFields } from "./source-fields.tsx";
import { TABS } from "./tabs.ts";

const FROM = "/projects/$projectID/metric-sources/$id";
const READ_ONLY = "Whoever made this metric source keeps it for the API: a program changes it, and this page only shows it.";

export default function MetricSourcePage() {
  const { id } = useParams({ from: FROM });
  return <MetricSourceOf key={`${currentProjectID()} ${id}`} name={id} />;
}

function MetricSourceOf({ name }: { name: string }) {
  const { projectID } = useParams({ from: FROM });
  const { data: answer } = useSuspenseQuery(query("getMetricSource", { path: { name } }));
  const stored = useMemo((): StoredMetricSource => ({ entity: answer.data, etag: answer.etag ?? "" }), [answer]);
  const { entity: source } = stored;
  const navigate = useNavigate({ from: FROM });
  const lockedReason = source.isReadOnly ? READ_ONLY : undefined;
  const refusal = useRefusal()("metric_management") ?? lockedReason;
  return (
    <EntityPage
      noun="metric source"
      list={
        <Link to="/projects/$projectID/metric-sources" params={{ projectID }}>
          Metric sources
        </Link>
      }
      stored={stored}
      model={metricSourceModel}
      permission="metric_management"
      lockedReason={lockedReason}
      notices={lockedReason !== undefined && <Notice>{lockedReason}</Notice>}
      beside={source.isVerified && <Badge tone="good">Verified</Badge>}
      faultsOf={faultsOfDraft}
      write={writeOf}
      inWords={describeDraft}
      reads={{ own: ["getMetricSource"], others: ["listMetricSources", "listMetricSourceVersions"] }}
      actions={({ count }) => (
        <EntitySteps
          name={name}
          hasDraft={count > 0}
          steps={[
            {
              id: "delete",
              label: "Delete",
              request: { operationId: "deleteMetricSource", path: { name }, ifMatch: stored.etag },
              about: <p>The rows stay where they are. The audit log keeps what the metric source was.</p>,
              done: "is deleted",
              isRestorable: true,
              disabledReason: refusal,
              isDangerous: true,
            },
          ]}
          onConflict={() => void invalidate("getMetricSource")}
          onDone={async () => {
            await navigate({ to: "/projects/$projectID/metric-sources" });
            await invalidate("listMetricSources", "listChanges");
          }}
        />
      )}
      tabs={TABS}
      content={(tab, shared, restoreReason) => {
        switch (tab) {
          case "source":
            return <SourceTab {...shared} />;
          case "history":
            return <MetricSourceHistory stored={stored} disabledReason={restoreReason} />;
          case "details":
            return <Details {...shared} />;
        }
      }}
    />
  );
}

/** Where the rows are. A preview of the form as it is marks its faults, too. */
function SourceTab({ draft, onChange, disabledReason, faults }: EditProps<MetricSourceDraft>) {
  const preview = usePreview(draft.fields);
  const set = (fields: Partial<Fields>) => onChange(setFields(draft, fields));
  const found = preview.faults.filter(({ property }) => !faults.some((fault) => fault.property === property));
  const fieldProps = { fields: draft.fields, set, disabledReason, faults: [...faults, ...found], columns: preview.columns };
  return (
    <>
      <Section title="Rows">
        <div className={entity.card}>
          <RowFields {...fieldProps} />
        </div>
      </Section>
      <UnitColumns
        description="The columns with the ids of units. Metrics are computed for these."
        mapping={draft.fields.idTypeMapping}
        onChange={(idTypeMapping) => set({ idTypeMapping })}
        disabledReason={disabledReason}
        faultAt={faultOf(fieldProps.faults)}
        columns={preview.columns}
      />
      <ComputedFields {...fieldProps} />
      <Section
        title="Preview"
        description="Ten rows that the project's warehouse returns for this form, saved or not."
        actions={<PreviewButton {...preview} />}
      >
        <PreviewResult {...preview} />
      </Section>
    </>
  );
}

function Details({ draft, onChange, disabledReason, faults }: EditProps<MetricSourceDraft>) {
  const { fields, stored } = draft;
  const set = (changed: Partial<Fields>) => onChange(setFields(draft, changed));
  const faultAt = (property: string) => faults.find((fault) => fault.property === property)?.message;
  const isDisabled = disabledReason !== undefined;
  return (
    <div className={entity.columns}>
      <Section title="Description">
        <div className={entity.card}>
          <TextField
            label="Description"
            rows={4}
            value={fields.description}
            onChange={(description) => set({ description })}
            error={faultAt("description")}
            isDisabled={isDisabled}
          />
          <TagsField tags={fields.tags} onChange={(tags) => set({ tags })} isDisabled={isDisabled} error={faultAt("tags")} />
          <Checkbox isSelected={fields.isVerified} onChange={(isVerified) => set({ isVerified })} isDisabled={isDisabled}>
            Verified: somebody made sure that it is right
          </Checkbox>
        </div>
      </Section>
      <Facts id={stored.entity.name} of={stored.entity} facts={[{ term: "Team", is: <bdi>{stored.entity.team ?? "None"}</bdi> }]} />
    </div>
  );
}

function MetricSourceHistory({
  stored: { entity: source, etag },
  disabledReason,
}: {
  stored: StoredMetricSource;
  disabledReason: string | undefined;
}) {
  const { name } = source;
  return (
    <HistoryTab
      read={useQuery(query("listMetricSourceVersions", { path: { name }, query: { limit: MAX_VERSIONS } }))}
      name={name}
      noun="metric source"
      inWords={(_, before, after) => describeVersions(before, after)}
      restore={(version) => ({ operationId: "restoreMetricSourceVersion", path: { name, version }, ifMatch: etag })}
      disabledReason={disabledReason}
      onReadAgain={() => void invalidate("getMetricSource", "listMetricSources", "listMetricSourceVersions", "listChanges")}
    />
  );
}
