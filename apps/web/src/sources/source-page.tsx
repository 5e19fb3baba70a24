import type { UseQueryResult } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { type ReactNode, useMemo } from "react";
import { type BatchRequest, type CallID, invalidate, type Schema } from "../api.ts";
import entity from "../entity/entity.module.css";
import { type EditProps, EntityPage } from "../entity/entity-page.tsx";
import { EntitySteps } from "../entity/entity-steps.tsx";
import { Facts } from "../entity/facts.tsx";
import { HistoryTab, type VersionList } from "../entity/history-tab.tsx";
import { OwnerField } from "../entity/owner-field.tsx";
import { TagsField } from "../entity/tags-field.tsx";
import { TeamField } from "../entity/team-field.tsx";
import { SOURCE_TABS } from "../kinds/data-kinds.ts";
import type { Noun } from "../kinds/kinds.ts";
import { type FieldsDraft, type FieldsModel, type Stored, setFields } from "../saving/draft-model.ts";
import { useRefusal } from "../session/account.ts";
import { Section } from "../shell/page.tsx";
import type { DescribedEntity } from "../targeting/changes.ts";
import type { OwnerFields } from "../targeting/owner-fields.ts";
import type { TeamFields } from "../targeting/team-fields.ts";
import type { Fault } from "../targeting/types.ts";
import { Badge } from "../ui/badge.tsx";
import { Checkbox, TextField } from "../ui/field.tsx";
import { Notice } from "../ui/notice.tsx";

/** The fields of every source of rows on the warehouse. */
export type Source = Omit<Schema<"EntityPropertySource">, "timestampColumn" | "timestampAsDay"> & { isVerified?: boolean };
type SourceFields = TeamFields & Partial<OwnerFields> & { description: string; tags: string[]; isVerified?: boolean };

/** The addresses of the lists of sources. */
export type ListPath = `/projects/$projectID/${"metric-sources" | "assignment-sources" | "entity-properties" | "qualifying-events"}`;

type Props<Entity extends Source, Fields extends SourceFields> = {
  /** Its noun: metric source. */
  noun: Noun;
  list: { to: ListPath; title: string };
  answer: { data: Entity; etag?: string | undefined };
  model: FieldsModel<Entity, Fields>;
  findFaults: (draft: FieldsDraft<Entity, Fields>) => Fault[];
  write: (draft: FieldsDraft<Entity, Fields>) => BatchRequest[];
  describeDraft: (draft: FieldsDraft<Entity, Fields>) => DescribedEntity[];
  describeVersions: (before: Entity, after: Entity) => DescribedEntity[];
  /** The operations that read it. */
  reads: { one: CallID; list: CallID; versions: CallID };
  remove: BatchRequest;
  restore: (version: number) => BatchRequest;
  /** Reads the versions of a source. */
  useVersions: (name: string) => Pick<UseQueryResult<VersionList<Entity>, Error>, "data" | "error">;
  /** The tab with its query and its columns. */
  children: (shared: EditProps<FieldsDraft<Entity, Fields>>) => ReactNode;
};

/** The page of a source of rows on the warehouse. */
export function SourcePage<Entity extends Source, Fields extends SourceFields>(props: Props<Entity, Fields>) {
  const { noun, list, answer, reads } = props;
  const { projectID } = useParams({ from: "/projects/$projectID" });
  const stored = useMemo((): Stored<Entity> => ({ entity: answer.data, etag: answer.etag ?? "" }), [answer]);
  const { name, isReadOnly, isVerified } = stored.entity;
  const navigate = useNavigate();
  const lockedReason = isReadOnly ? `Read-only: this ${noun} is managed through the API.` : undefined;
  const refusal = useRefusal()("metric_management") ?? lockedReason;
  return (
    <EntityPage
      noun={noun}
      list={
        <Link to={list.to} params={{ projectID }}>
          {list.title}
        </Link>
      }
      stored={stored}
      model={props.model}
      permission="metric_management"
      lockedReason={lockedReason}
      notices={lockedReason !== undefined && <Notice>{lockedReason}</Notice>}
      beside={isVerified && <Badge tone="good">Verified</Badge>}
      findFaults={props.findFaults}
      write={props.write}
      inWords={props.describeDraft}
      reads={{ own: [reads.one], others: [reads.list, reads.versions] }}
      actions={({ count }) => (
        <EntitySteps
          name={name}
          hasDraft={count > 0}
          steps={[
            {
              id: "delete",
              label: "Delete",
              request: { ...props.remove, ifMatch: stored.etag } as BatchRequest,
              about: <p>Your warehouse isn’t changed. The audit log keeps its history.</p>,
              done: "is deleted",
              isRestorable: true,
              disabledReason: refusal,
              isDangerous: true,
            },
          ]}
          onConflict={() => void invalidate(reads.one)}
          onDone={async () => {
            await navigate({ to: list.to, params: { projectID } });
            await invalidate(reads.list, "listChanges");
          }}
        />
      )}
      tabs={SOURCE_TABS}
      content={(tab, shared, restoreReason) => {
        switch (tab) {
          case "source":
            return props.children(shared);
          case "history":
            return <SourceHistory {...props} stored={stored} disabledReason={restoreReason} />;
          case "details":
            return <Details {...shared} />;
        }
      }}
    />
  );
}

/** Finds the fault at a place of a page's form. */
export const faultFinder = (faults: readonly Fault[]) => (property: string) => faults.find((fault) => fault.property === property)?.message;

function Details<Entity extends Source, Fields extends SourceFields>({
  draft,
  onChange,
  disabledReason,
  faults,
}: EditProps<FieldsDraft<Entity, Fields>>) {
  const { fields, stored } = draft;
  const set = (changed: Partial<SourceFields>) => onChange(setFields(draft, changed as Partial<Fields>));
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
            error={faultFinder(faults)("description")}
            isDisabled={isDisabled}
          />
          <TagsField tags={fields.tags} onChange={(tags) => set({ tags })} isDisabled={isDisabled} error={faultFinder(faults)("tags")} />
          <TeamField
            value={fields}
            onChange={set}
            isDisabled={isDisabled}
            error={faultFinder(faults)("teamID") ?? faultFinder(faults)("team")}
          />
          {fields.owner !== undefined && (
            <OwnerField value={fields.owner} onChange={set} isDisabled={isDisabled} error={faultFinder(faults)("owner")} />
          )}
          {fields.isVerified !== undefined && (
            <Checkbox isSelected={fields.isVerified} onChange={(isVerified) => set({ isVerified })} isDisabled={isDisabled}>
              Verified: reviewed and correct
            </Checkbox>
          )}
        </div>
      </Section>
      <Facts id={stored.entity.name} of={stored.entity} />
    </div>
  );
}

type HistoryProps<Entity extends Source, Fields extends SourceFields> = Props<Entity, Fields> & {
  stored: Stored<Entity>;
  disabledReason: string | undefined;
};

function SourceHistory<Entity extends Source, Fields extends SourceFields>(props: HistoryProps<Entity, Fields>) {
  const { noun, reads, stored, disabledReason } = props;
  return (
    <HistoryTab
      read={props.useVersions(stored.entity.name)}
      name={stored.entity.name}
      noun={noun}
      inWords={(_, before, after) => props.describeVersions(before, after)}
      restore={(version) => ({ ...props.restore(version), ifMatch: stored.etag }) as BatchRequest}
      disabledReason={disabledReason}
      onReadAgain={() => void invalidate(reads.one, reads.list, reads.versions, "listChanges")}
    />
  );
}
