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
import { sourceColumns } from "../../sources/source-columns.tsx";
import { TextField } from "../../ui/field.tsx";
import { previewProperties } from "./preview-properties.ts";

const FROM = "/projects/$projectID/entity-properties";

/** What the contract requires of a new one. All else is edited on its page. */
const NEW = { sql: "", column: "" };
/** Where a request has what the dialog asks for. */
const PLACES: Record<keyof typeof NEW, string> = { sql: "sql", column: "idTypeMapping[0].column" };
const UNIT = "userID";

const previewedOf = ({ sql, column }: typeof NEW): Previewed => ({
  ...{ sourceType: "query", sql, tableName: "", timestampColumn: "" },
  idTypeMapping: [{ unit: UNIT, column }],
  customFieldMapping: [],
});

const COLUMNS = sourceColumns<Schema<"EntityPropertySource">>();

export default function EntityPropertySourceList() {
  const search = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const { data: answer } = useSuspenseQuery(query("listEntityPropertySources", plainListRequest(search)));
  const open = (name: string) =>
    navigate({ to: "/projects/$projectID/entity-properties/$id", params: (params) => ({ ...params, id: name }) });
  const [given, setGiven] = useState(NEW);
  const preview = usePreview(previewRequest(previewedOf(given)), previewProperties);
  const field = (name: keyof typeof NEW, label: string, error: string | undefined) => ({
    ...{ label, isRequired: true, value: given[name] },
    onChange: (text: string) => setGiven({ ...given, [name]: text }),
    error: error ?? preview.faults.find(({ property }) => property === PLACES[name])?.message,
  });
  return (
    <EntityList
      noun="entity property source"
      nouns="entity property sources"
      title="Entity properties"
      answer={answer}
      columns={COLUMNS}
      idOf={({ name }) => name}
      onOpen={({ name }) => void open(name)}
      filters={<ListFilters noun="entity property sources" hasTags={false} />}
      usualSort="createdTime"
      disabledReason={useRefusal()("metric_management")}
      create={(isOpen, onClose) => (
        <CreateEntity
          noun="entity property source"
          isOpen={isOpen}
          onClose={onClose}
          nameHint="Results name it, so its name never changes."
          create={async ({ name, description }) => {
            const { sql, column } = given;
            const idTypeMapping = [{ serviceUnitID: UNIT, column }];
            await call("createEntityPropertySource", { body: { name, description, sql, idTypeMapping } });
            setGiven(NEW);
            await invalidate("listEntityPropertySources", "listChanges");
            await open(name);
          }}
          fields={(faultAt) => (
            <>
              <TextField {...field("sql", "Query", faultAt(PLACES.sql))} isCode rows={4} />
              <div>
                <PreviewButton {...preview} />
              </div>
              <PreviewResult {...preview} />
              <ColumnField {...field("column", "Column with the userID", faultAt(PLACES.column))} columns={preview.columns} />
            </>
          )}
        />
      )}
      purpose="An entity property source tells what units are, if not applications but a warehouse knows: a query whose columns, such as a plan or a country, divide the units of results."
    />
  );
}
