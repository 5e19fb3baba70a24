import { useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { call, invalidate, query, type Schema } from "../../api.ts";
import { ColumnField } from "../../entity/column-field.tsx";
import { CreateEntity } from "../../entity/create-entity.tsx";
import { EntityList } from "../../entity/entity-list.tsx";
import { ListFilters } from "../../entity/list-filters.tsx";
import { plainListRequest } from "../../entity/plain-list-search.ts";
import { useRefusal } from "../../session/account.ts";
import { PreviewButton, PreviewResult, usePreview } from "../../sources/preview.tsx";
import { type Previewed, previewRequest } from "../../sources/preview-request.ts";
import { originColumn, sourceColumns } from "../../sources/source-columns.tsx";
import { TextField } from "../../ui/field.tsx";

const FROM = "/projects/$projectID/metric-sources";

/** What the contract requires of a new one. All else is edited on its page. */
const NEW = { sql: "", timestampColumn: "", column: "" };
/** Where a request has what the dialog asks for. */
const PLACES: Record<keyof typeof NEW, string> = { sql: "sql", timestampColumn: "timestampColumn", column: "idTypeMapping[0].column" };
const UNIT = "userID";

const previewedOf = ({ sql, timestampColumn, column }: typeof NEW): Previewed => ({
  ...{ sourceType: "query", sql, tableName: "", timestampColumn },
  idTypeMapping: [{ unit: UNIT, column }],
  customFieldMapping: [],
});

const COLUMNS = sourceColumns<Schema<"MetricSource">>([originColumn()]);

export default function MetricSourceList() {
  const search = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const { data: answer } = useSuspenseQuery(query("listMetricSources", plainListRequest(search)));
  const open = (name: string) => navigate({ to: "/projects/$projectID/metric-sources/$id", params: (params) => ({ ...params, id: name }) });
  const [given, setGiven] = useState(NEW);
  const preview = usePreview(previewRequest(previewedOf(given)), (body) => call("previewMetricSource", { body }));
  const field = (name: keyof typeof NEW, label: string, error: string | undefined) => ({
    ...{ label, isRequired: true, value: given[name] },
    onChange: (text: string) => setGiven({ ...given, [name]: text }),
    error: error ?? preview.faults.find(({ property }) => property === PLACES[name])?.message,
  });
  return (
    <EntityList
      noun="metric source"
      nouns="metric sources"
      title="Metric sources"
      answer={answer}
      columns={COLUMNS}
      idOf={({ name }) => name}
      onOpen={({ name }) => void open(name)}
      filters={<ListFilters noun="metric sources" hasTags={false} />}
      usualSort="createdTime"
      disabledReason={useRefusal()("metric_management")}
      create={(isOpen, onClose) => (
        <CreateEntity
          noun="metric source"
          isOpen={isOpen}
          onClose={onClose}
          nameHint="Metrics read it by its name, which never changes."
          create={async ({ name, description }) => {
            const { sql, timestampColumn, column } = given;
            const idTypeMapping = [{ serviceUnitID: UNIT, column }];
            await call("createMetricSource", { body: { name, description, sql, timestampColumn, idTypeMapping } });
            setGiven(NEW);
            await invalidate("listMetricSources", "listChanges");
            await open(name);
          }}
          fields={(faultAt) => (
            <>
              <TextField {...field("sql", "Query", faultAt(PLACES.sql))} isCode rows={4} />
              <div>
                <PreviewButton {...preview} />
              </div>
              <PreviewResult {...preview} />
              <ColumnField {...field("timestampColumn", "Time column", faultAt(PLACES.timestampColumn))} columns={preview.columns} />
              <ColumnField {...field("column", "Column with the userID", faultAt(PLACES.column))} columns={preview.columns} />
            </>
          )}
        />
      )}
      purpose="A metric source says where rows are that events do not have, such as orders in the project's warehouse: a query or a table, and which columns say when and whose. Loads of results read them there."
    />
  );
}
