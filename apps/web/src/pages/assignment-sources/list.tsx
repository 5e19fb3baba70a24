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
import { sourceColumns } from "../../sources/source-columns.tsx";
import { TextField } from "../../ui/field.tsx";
import { assignmentsPreview } from "./preview-assignments.ts";

const FROM = "/projects/$projectID/assignment-sources";

/** What the contract requires of a new one. All else is edited on its page. */
const NEW = { sql: "", timestampColumn: "", experimentIDColumn: "", groupIDColumn: "", column: "" };

const UNIT = "userID";
/** Where a request has the column with the ids of units. */
const UNIT_PLACE = "idTypeMapping[0].column";

const previewedOf = ({ column, ...given }: typeof NEW) => ({ ...given, groupNameColumn: "", idTypeMapping: [{ unit: UNIT, column }] });

const COLUMNS = sourceColumns<Schema<"AssignmentSource">>();

export default function AssignmentSourceList() {
  const search = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const { data: answer } = useSuspenseQuery(query("listAssignmentSources", plainListRequest(search)));
  const open = (name: string) =>
    navigate({ to: "/projects/$projectID/assignment-sources/$id", params: (params) => ({ ...params, id: name }) });
  const [given, setGiven] = useState(NEW);
  const preview = usePreview(assignmentsPreview(previewedOf(given)), (body) => call("previewAssignmentSource", { body }));
  const field = (name: keyof typeof NEW, label: string, faultAt: (property: string) => string | undefined) => {
    const place = name === "column" ? UNIT_PLACE : name;
    return {
      ...{ label, isRequired: true, value: given[name] },
      onChange: (text: string) => setGiven({ ...given, [name]: text }),
      error: faultAt(place) ?? preview.faults.find(({ property }) => property === place)?.message,
    };
  };
  return (
    <EntityList
      noun="assignment source"
      nouns="assignment sources"
      title="Assignment sources"
      answer={answer}
      columns={COLUMNS}
      idOf={({ name }) => name}
      onOpen={({ name }) => void open(name)}
      filters={<ListFilters noun="assignment sources" hasTags={false} />}
      usualSort="createdTime"
      disabledReason={useRefusal()("metric_management")}
      create={(isOpen, onClose) => (
        <CreateEntity
          noun="assignment source"
          isOpen={isOpen}
          onClose={onClose}
          nameHint="Experiments name it, so its name never changes."
          create={async ({ name, description }) => {
            const { column, ...columns } = given;
            const idTypeMapping = [{ serviceUnitID: UNIT, column }];
            await call("createAssignmentSource", { body: { name, description, ...columns, idTypeMapping } });
            setGiven(NEW);
            await invalidate("listAssignmentSources", "listChanges");
            await open(name);
          }}
          fields={(faultAt) => (
            <>
              <TextField {...field("sql", "Query", faultAt)} isCode rows={4} />
              <div>
                <PreviewButton {...preview} />
              </div>
              <PreviewResult {...preview} />
              <ColumnField {...field("timestampColumn", "Time column", faultAt)} columns={preview.columns} />
              <ColumnField {...field("experimentIDColumn", "Experiment column", faultAt)} columns={preview.columns} />
              <ColumnField {...field("groupIDColumn", "Group column", faultAt)} columns={preview.columns} />
              <ColumnField {...field("column", "Column with the userID", faultAt)} columns={preview.columns} />
            </>
          )}
        />
      )}
      purpose="An assignment source says which units are in which group of an experiment, if not applications but a warehouse knows: a query, and which columns say what."
    />
  );
}
