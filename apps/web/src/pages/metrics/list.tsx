import { useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useRouter, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { call, invalidate, query } from "../../api.ts";
import { OWNER_COLUMNS } from "../../entity/common-columns.tsx";
import { CreateEntity } from "../../entity/create-entity.tsx";
import { EntityList } from "../../entity/entity-list.tsx";
import { EventField } from "../../entity/event-field.tsx";
import { ListFilters, useListFilter } from "../../entity/list-filters.tsx";
import { MetricsField } from "../../entity/metrics-field.tsx";
import { NameCell } from "../../entity/name-cell.tsx";
import { useRefusal } from "../../session/account.ts";
import { Badge, Chip } from "../../ui/badge.tsx";
import { Select } from "../../ui/choice.tsx";
import { Checkbox } from "../../ui/field.tsx";
import type { TableColumn } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { metricListRequest } from "./list-search.ts";
import { isComposite } from "./metric-draft.ts";
import { COMPONENTS, describeSource, type MadeType, type Metric, TYPES } from "./metric-words.ts";
import { CHOICE, describeSecondEvent, type Given, NOTHING, newDefinition } from "./new-metric.ts";
import { UnitField } from "./unit-field.tsx";

const FROM = "/projects/$projectID/metrics";

const COLUMNS: TableColumn<Metric>[] = [
  {
    id: "name",
    name: "Name",
    width: "2fr",
    minWidth: 160,
    isRowHeader: true,
    allowsSorting: true,
    cell: ({ id, name, isVerified, isHidden }) => (
      <>
        <NameCell id={id} name={name} /> {isVerified && <Badge tone="good">Verified</Badge>}
        {isHidden && <Badge tone="off">Archived</Badge>}
      </>
    ),
  },
  { id: "type", name: "Type", width: 190, cell: ({ type }) => TYPES[type].label },
  { id: "source", name: "Source", width: "2fr", minWidth: 130, cell: (metric) => <bdi>{describeSource(metric)}</bdi> },
  { id: "tags", name: "Tags", width: "1fr", minWidth: 90, cell: ({ tags }) => tags.map((tag) => <Chip key={tag}>{tag}</Chip>) },
  ...OWNER_COLUMNS,
  {
    id: "lastModifiedTime",
    name: "Changed",
    width: 120,
    allowsSorting: true,
    cell: ({ lastModifiedTime, createdTime }) => <Time time={lastModifiedTime ?? createdTime} />,
  },
];

const AUTOMATIC_LEFT_OUT = "Automatic metrics, such as daily active users and event counts, are listed separately.";

export default function MetricList() {
  const search = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const { buildLocation } = useRouter();
  const { projectID } = useParams({ from: "/projects/$projectID" });
  const filter = useListFilter();
  const { data: answer } = useSuspenseQuery(query("listMetrics", metricListRequest(search)));
  const open = (id: string) => navigate({ to: "/projects/$projectID/metrics/$id", params: (params) => ({ ...params, id }) });
  const [given, setGiven] = useState(NOTHING);
  const isAutomatic = search.automatic === true;
  const others = isAutomatic ? "Metrics that Gatehouse creates automatically." : AUTOMATIC_LEFT_OUT;
  const leftOut = isAutomatic || search.archived === true ? others : `Archived metrics are hidden. ${others}`;
  return (
    <EntityList
      noun="metric"
      nouns="metrics"
      title="Metrics"
      answer={answer}
      columns={COLUMNS}
      getID={({ id }) => id}
      href={({ id }) => buildLocation({ to: "/projects/$projectID/metrics/$id", params: { projectID, id } }).href}
      filters={
        <ListFilters noun="metrics" hasTeams hasOwners>
          <Checkbox isSelected={isAutomatic} onChange={(automatic) => filter({ automatic: automatic || undefined, archived: undefined })}>
            Automatic
          </Checkbox>
          <Checkbox
            isSelected={search.archived === true}
            onChange={(archived) => filter({ archived: archived || undefined })}
            isDisabled={isAutomatic}
          >
            Include archived
          </Checkbox>
        </ListFilters>
      }
      leftOut={leftOut}
      usualSort="createdTime"
      disabledReason={useRefusal()("metric_management")}
      create={(isOpen, onClose) => (
        <CreateEntity
          hasTeam
          hasOwner
          noun="metric"
          isOpen={isOpen}
          onClose={onClose}
          nameHint="The name and type can’t be changed later."
          create={async ({ id: _, name, description, ...owner }) => {
            const { type, valueUnit } = given;
            const { data } = await call("createMetric", {
              body: { ...owner, name, type, description, valueUnit, ...newDefinition(given) },
            });
            setGiven(NOTHING);
            await invalidate("listMetrics", "listChanges");
            await open(data.id);
          }}
          fields={(faultAt) => <NewFields given={given} onChange={setGiven} faultAt={faultAt} />}
        />
      )}
      purpose="Measure what your experiments, gates, and holdouts change."
    />
  );
}

type NewProps = { given: Given; onChange: (given: Given) => void; faultAt: (field: string) => string | undefined };

/** The initial source of a metric. */
function NewFields({ given, onChange, faultAt }: NewProps) {
  const { type, event, second, components, valueUnit } = given;
  const secondLabel = describeSecondEvent(type);
  const place = type === "funnel" ? "funnelEventList" : "metricEvents";
  return (
    <>
      <Select
        label="Type"
        options={CHOICE}
        value={type}
        onChange={(id) => onChange({ ...given, type: id as MadeType, components: [] })}
        error={faultAt("type")}
      />
      {isComposite(type) ? (
        <MetricsField
          label="Metrics"
          metrics={components}
          onChange={(chosen) => onChange({ ...given, components: chosen })}
          types={COMPONENTS[type] ?? []}
          disabledReason={undefined}
          error={faultAt("metricComponentMetrics")}
        />
      ) : (
        <EventField
          label={type === "funnel" ? "First step" : "Event"}
          value={event}
          onChange={(name) => onChange({ ...given, event: name })}
          error={faultAt(`${place}[0].name`)}
        />
      )}
      {secondLabel !== undefined && (
        <EventField
          label={secondLabel}
          value={second}
          onChange={(name) => onChange({ ...given, second: name })}
          error={faultAt(`${place}[1].name`)}
        />
      )}
      <UnitField value={valueUnit} onChange={(unit) => onChange({ ...given, valueUnit: unit })} error={faultAt("valueUnit")} />
    </>
  );
}
