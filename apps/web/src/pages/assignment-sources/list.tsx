import { useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { call, invalidate, query, type Schema } from "../../api.ts";
import { CreateEntity } from "../../entity/create-entity.tsx";
import { EntityList } from "../../entity/entity-list.tsx";
import { ListFilters } from "../../entity/list-filters.tsx";
import { NameCell } from "../../entity/name-cell.tsx";
import { plainListRequest } from "../../entity/plain-list-search.ts";
import { useRefusal } from "../../session/account.ts";
import { Badge, Chip } from "../../ui/badge.tsx";
import { TextField } from "../../ui/field.tsx";
import type { ColumnOf } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";

type AssignmentSource = Schema<"AssignmentSource">;
const FROM = "/projects/$projectID/assignment-sources";

/** What the contract requires of a new one. All else is edited on its page. */
const NEW = { sql: "", timestampColumn: "", experimentIDColumn: "", groupIDColumn: "", column: "" };

const COLUMNS: ColumnOf<AssignmentSource>[] = [
  {
    id: "name",
    name: "Name",
    width: "2fr",
    minWidth: 160,
    isRowHeader: true,
    allowsSorting: true,
    cell: ({ name, isVerified }) => (
      <>
        <NameCell id={name} name={name} /> {isVerified && <Badge tone="good">Verified</Badge>}
      </>
    ),
  },
  {
    id: "units",
    name: "Units",
    width: "1fr",
    minWidth: 100,
    cell: ({ idTypeMapping }) => idTypeMapping.map(({ serviceUnitID }) => serviceUnitID).join(", "),
  },
  { id: "tags", name: "Tags", width: "1fr", minWidth: 90, cell: ({ tags }) => tags.map((tag) => <Chip key={tag}>{tag}</Chip>) },
  {
    id: "lastModifiedTime",
    name: "Changed",
    width: 120,
    allowsSorting: true,
    cell: ({ lastModifiedTime }) => <Time time={lastModifiedTime} />,
  },
];

export default function AssignmentSourceList() {
  const search = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const { data: answer } = useSuspenseQuery(query("listAssignmentSources", plainListRequest(search)));
  const open = (name: string) =>
    navigate({ to: "/projects/$projectID/assignment-sources/$id", params: (params) => ({ ...params, id: name }) });
  const [given, setGiven] = useState(NEW);
  const field = (name: keyof typeof NEW, label: string, error: string | undefined, rows?: number) => (
    <TextField
      label={label}
      isCode
      isRequired
      value={given[name]}
      onChange={(text) => setGiven({ ...given, [name]: text })}
      error={error}
      {...(rows !== undefined && { rows })}
    />
  );
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
            const idTypeMapping = [{ serviceUnitID: "userID", column }];
            await call("createAssignmentSource", { body: { name, description, ...columns, idTypeMapping } });
            setGiven(NEW);
            await invalidate("listAssignmentSources", "listChanges");
            await open(name);
          }}
          fields={(faultAt) => (
            <>
              {field("sql", "Query", faultAt("sql"), 4)}
              {field("timestampColumn", "Time column", faultAt("timestampColumn"))}
              {field("experimentIDColumn", "Experiment column", faultAt("experimentIDColumn"))}
              {field("groupIDColumn", "Group column", faultAt("groupIDColumn"))}
              {field("column", "Column with the userID", faultAt("idTypeMapping[0].column"))}
            </>
          )}
        />
      )}
      purpose="An assignment source says which units are in which group of an experiment, if not applications but a warehouse knows: a query, and which columns say what."
    />
  );
}
