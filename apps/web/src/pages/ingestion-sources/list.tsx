import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useRouter, useSearch } from "@tanstack/react-router";
import { Suspense, useMemo, useState } from "react";
import { call, invalidate, query } from "../../api.ts";
import { ColumnField } from "../../entity/column-field.tsx";
import { OWNER_COLUMNS } from "../../entity/common-columns.tsx";
import { CreateEntity } from "../../entity/create-entity.tsx";
import { EntityList } from "../../entity/entity-list.tsx";
import { ListFilters } from "../../entity/list-filters.tsx";
import { NameCell } from "../../entity/name-cell.tsx";
import { plainListRequest } from "../../entity/plain-list-search.ts";
import { explain } from "../../explain.ts";
import { DayMarks } from "../../ingestion/day-marks.tsx";
import { DATASETS, type Dataset, INGESTION_EDIT } from "../../ingestion/ingestion-words.ts";
import { useRefusal } from "../../session/account.ts";
import { PreviewButton, PreviewResult, usePreview } from "../../sources/preview.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/choice.tsx";
import { Checkbox, TextField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { soonDialog } from "../../ui/soon.tsx";
import type { TableColumn } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { previewRequest } from "./form-places.ts";
import { columnLabel, type IngestionSource } from "./ingestion-source-draft.ts";
import { lastCopied, useLastDays } from "./last-days.ts";
import { createBody, NEW, neededColumns, toForm } from "./new-source.ts";

const FROM = "/projects/$projectID/ingestion-sources";

const BackfillDialog = soonDialog(() => import("../../ingestion/backfill-dialog.tsx"));

const columnsWith = ({ days, known }: ReturnType<typeof useLastDays>): TableColumn<IngestionSource>[] => [
  {
    id: "name",
    name: "Name",
    width: "2fr",
    minWidth: 160,
    isRowHeader: true,
    allowsSorting: true,
    cell: ({ id }) => <NameCell id={id} name={id} />,
  },
  { id: "dataset", name: "Dataset", width: "1fr", minWidth: 100, cell: ({ data }) => data.dataset },
  {
    id: "enabled",
    name: "Daily copy",
    width: "1fr",
    minWidth: 100,
    cell: ({ enabled }) => (enabled ? <Badge tone="good">On</Badge> : <Badge tone="off">Off</Badge>),
  },
  ...OWNER_COLUMNS,
  {
    id: "days",
    name: "Last seven days",
    width: 180,
    cell: ({ id }) => known && <DayMarks days={days} known={known.get(id) ?? []} />,
  },
  {
    id: "copied",
    name: "Last copied",
    width: 150,
    cell: ({ id }) => {
      const time = lastCopied(known?.get(id) ?? []);
      if (known === undefined) return null;
      return time === undefined ? "No runs" : <Time time={time} />;
    },
  },
];

export default function IngestionSourceList() {
  const search = useSearch({ from: FROM });
  const { projectID } = useParams({ from: FROM });
  const { data: answer } = useSuspenseQuery(query("listIngestionSources", plainListRequest(search)));
  const navigate = useNavigate({ from: FROM });
  const { buildLocation } = useRouter();
  const open = (name: string) =>
    navigate({ to: "/projects/$projectID/ingestion-sources/$id", params: (params) => ({ ...params, id: name }) });
  const [isBackfilling, setBackfilling] = useState(false);
  const lately = useLastDays();
  const refusal = useRefusal()(INGESTION_EDIT);
  return (
    <EntityList
      noun="ingestion source"
      nouns="ingestion sources"
      title="Ingestion sources"
      answer={answer}
      // biome-ignore lint/correctness/useExhaustiveDependencies: the days change only with what is known of them.
      columns={useMemo(() => columnsWith(lately), [lately.known])}
      getID={({ id }) => id}
      href={({ id }) => buildLocation({ to: "/projects/$projectID/ingestion-sources/$id", params: { projectID, id } }).href}
      filters={
        <>
          <p>
            <Link to="/projects/$projectID/ingestion-runs" params={{ projectID }}>
              Runs and schedule
            </Link>
          </p>
          <ListFilters noun="ingestion sources" hasTags={false} hasTeams hasOwners />
          {lately.error && <Notice tone="bad">Couldn’t load the last days: {explain(lately.error)}</Notice>}
        </>
      }
      usualSort="createdTime"
      actions={
        <Button onPress={() => setBackfilling(true)} disabledReason={refusal}>
          Backfill
        </Button>
      }
      disabledReason={refusal}
      create={(isOpen, onClose) => (
        <>
          <CreateSource isOpen={isOpen} onClose={onClose} open={open} />
          {isBackfilling && (
            <Suspense>
              <BackfillDialog onClose={() => setBackfilling(false)} />
            </Suspense>
          )}
        </>
      )}
      purpose="Copy events and exposures from your warehouse every day."
    />
  );
}

type CreateProps = { isOpen: boolean; onClose: () => void; open: (name: string) => Promise<void> };

function CreateSource({ isOpen, onClose, open }: CreateProps) {
  const { projectID } = useParams({ from: FROM });
  const [given, setGiven] = useState(NEW);
  const { data: warehouse } = useQuery({ ...query("getWarehouseConnection"), enabled: isOpen });
  const preview = usePreview(previewRequest(given.dataset, toForm(given)), (body) => call("previewIngestionSource", { body }));
  const found = (place: string) => preview.faults.find(({ property }) => property === place)?.message;
  return (
    <CreateEntity
      hasTeam
      hasOwner
      noun="ingestion source"
      isOpen={isOpen}
      onClose={onClose}
      hasDescription={false}
      nameHint="Can’t be changed later."
      create={async ({ name, description: _, ...labels }) => {
        // Without a warehouse, the server's error names it.
        await call("createIngestionSource", { body: { ...createBody(name, warehouse?.data.type ?? "postgres", given), ...labels } });
        setGiven(NEW);
        await invalidate("listIngestionSources", "listChanges");
        await open(name);
      }}
      fields={(faultAt) => (
        <>
          {warehouse?.data.type === null && (
            <Notice
              tone="warn"
              title="The project has no warehouse"
              actions={
                <Link to="/projects/$projectID/settings" params={{ projectID }} search={{ tab: "warehouse" }}>
                  Open the warehouse
                </Link>
              }
            >
              {faultAt("type") ?? "Connect a warehouse first."}
            </Notice>
          )}
          <Select
            label="Rows become"
            options={DATASETS}
            value={given.dataset}
            onChange={(id) => setGiven({ ...given, dataset: id as Dataset })}
            description="Can’t be changed later."
          />
          <TextField
            label="Query"
            isCode
            isRequired
            rows={4}
            value={given.query}
            onChange={(text) => setGiven({ ...given, query: text })}
            error={faultAt("query") ?? found("query")}
          />
          <div>
            <PreviewButton {...preview} permission={INGESTION_EDIT} />
          </div>
          <PreviewResult {...preview} />
          {neededColumns(given.dataset).map((name) => (
            <ColumnField
              key={name}
              label={columnLabel(name)}
              isRequired
              value={given[name]}
              onChange={(text) => setGiven({ ...given, [name]: text })}
              error={faultAt(`column_mapping.${name}`) ?? found(`column_mapping.${name}`)}
              columns={preview.columns}
            />
          ))}
          <ColumnField
            label="Column with the userID"
            isRequired
            value={given.user}
            onChange={(user) => setGiven({ ...given, user })}
            error={faultAt("column_mapping.unit_id") ?? found("idTypeMapping[0].column")}
            columns={preview.columns}
          />
          <Checkbox isSelected={given.enabled} onChange={(enabled) => setGiven({ ...given, enabled })}>
            Copy rows daily
          </Checkbox>
        </>
      )}
    />
  );
}
