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
import type { Fault } from "../../targeting/types.ts";
import { Badge } from "../../ui/badge.tsx";
import { Checkbox, TextField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import {
  type AssignmentSourceDraft,
  assignmentSourceModel,
  describeDraft,
  describeVersions,
  type Fields,
  faultsOfDraft,
  type StoredAssignmentSource,
  writeOf,
} from "./assignment-source-draft.ts";
import { RowFields } from "./row-fields.tsx";
import { TABS } from "./tabs.ts";

const FROM = "/projects/$projectID/assignment-sources/$id";
const READ_ONLY = "Whoever made this assignment source keeps it for the API: a program changes it, and this page only shows it.";

const faultOf = (faults: readonly Fault[]) => (property: string) => faults.find((fault) => fault.property === property)?.message;

export default function AssignmentSourcePage() {
  const { id } = useParams({ from: FROM });
  return <AssignmentSourceOf key={`${currentProjectID()} ${id}`} name={id} />;
}

function AssignmentSourceOf({ name }: { name: string }) {
  const { projectID } = useParams({ from: FROM });
  const { data: answer } = useSuspenseQuery(query("getAssignmentSource", { path: { name } }));
  const stored = useMemo((): StoredAssignmentSource => ({ entity: answer.data, etag: answer.etag ?? "" }), [answer]);
  const { entity: source } = stored;
  const navigate = useNavigate({ from: FROM });
  const lockedReason = source.isReadOnly ? READ_ONLY : undefined;
  const refusal = useRefusal()("metric_management") ?? lockedReason;
  return (
    <EntityPage
      noun="assignment source"
      list={
        <Link to="/projects/$projectID/assignment-sources" params={{ projectID }}>
          Assignment sources
        </Link>
      }
      stored={stored}
      model={assignmentSourceModel}
      permission="metric_management"
      lockedReason={lockedReason}
      notices={lockedReason !== undefined && <Notice>{lockedReason}</Notice>}
      beside={source.isVerified && <Badge tone="good">Verified</Badge>}
      faultsOf={faultsOfDraft}
      write={writeOf}
      inWords={describeDraft}
      reads={{ own: ["getAssignmentSource"], others: ["listAssignmentSources", "listAssignmentSourceVersions"] }}
      actions={({ count }) => (
        <EntitySteps
          name={name}
          hasDraft={count > 0}
          steps={[
            {
              id: "delete",
              label: "Delete",
              request: { operationId: "deleteAssignmentSource", path: { name }, ifMatch: stored.etag },
              about: <p>The rows stay where they are. The audit log keeps what the assignment source was.</p>,
              done: "is deleted",
              isRestorable: true,
              disabledReason: refusal,
              isDangerous: true,
            },
          ]}
          onConflict={() => void invalidate("getAssignmentSource")}
          onDone={async () => {
            await navigate({ to: "/projects/$projectID/assignment-sources" });
            await invalidate("listAssignmentSources", "listChanges");
          }}
        />
      )}
      tabs={TABS}
      content={(tab, shared, restoreReason) => {
        const { draft, onChange, disabledReason, faults } = shared;
        const set = (fields: Partial<Fields>) => onChange(setFields(draft, fields));
        switch (tab) {
          case "source":
            return (
              <>
                <Section title="Assignments">
                  <div className={entity.card}>
                    <RowFields fields={draft.fields} set={set} isDisabled={disabledReason !== undefined} faultAt={faultOf(faults)} />
                  </div>
                </Section>
                <UnitColumns
                  description="The columns with the ids of units. An experiment reads the one of its unit ID type."
                  mapping={draft.fields.idTypeMapping}
                  onChange={(idTypeMapping) => set({ idTypeMapping })}
                  disabledReason={disabledReason}
                  faultAt={faultOf(faults)}
                />
              </>
            );
          case "history":
            return <AssignmentSourceHistory stored={stored} disabledReason={restoreReason} />;
          case "details":
            return <Details {...shared} />;
        }
      }}
    />
  );
}

function Details({ draft, onChange, disabledReason, faults }: EditProps<AssignmentSourceDraft>) {
  const { fields, stored } = draft;
  const set = (changed: Partial<Fields>) => onChange(setFields(draft, changed));
  const faultAt = faultOf(faults);
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

function AssignmentSourceHistory({
  stored: { entity: source, etag },
  disabledReason,
}: {
  stored: StoredAssignmentSource;
  disabledReason: string | undefined;
}) {
  const { name } = source;
  return (
    <HistoryTab
      read={useQuery(query("listAssignmentSourceVersions", { path: { name }, query: { limit: MAX_VERSIONS } }))}
      name={name}
      noun="assignment source"
      inWords={(_, before, after) => describeVersions(before, after)}
      restore={(version) => ({ operationId: "restoreAssignmentSourceVersion", path: { name, version }, ifMatch: etag })}
      disabledReason={disabledReason}
      onReadAgain={() => void invalidate("getAssignmentSource", "listAssignmentSources", "listAssignmentSourceVersions", "listChanges")}
    />
  );
}
