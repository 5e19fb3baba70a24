import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useRouter, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { call, invalidate, query, type Schema } from "../../api.ts";
import { OWNER_COLUMNS } from "../../entity/common-columns.tsx";
import { CreateEntity } from "../../entity/create-entity.tsx";
import { EntityList } from "../../entity/entity-list.tsx";
import { ListFilters } from "../../entity/list-filters.tsx";
import { NameCell } from "../../entity/name-cell.tsx";
import { plainListRequest } from "../../entity/plain-list-search.ts";
import { useRefusal } from "../../session/account.ts";
import { Select } from "../../ui/choice.tsx";
import type { TableColumn } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";

const FROM = "/projects/$projectID/layers";

const COLUMNS: TableColumn<Schema<"Layer">>[] = [
  {
    id: "name",
    name: "Name",
    width: "2fr",
    minWidth: 200,
    isRowHeader: true,
    allowsSorting: true,
    cell: ({ id, name }) => <NameCell id={id} name={name} />,
  },
  { id: "idType", name: "Unit ID type", width: 140, cell: ({ idType }) => <bdi>{idType}</bdi> },
  {
    id: "parameters",
    name: "Parameters",
    width: "2fr",
    minWidth: 140,
    cell: ({ parameters }) => <bdi>{parameters.map(({ name }) => name).join(", ")}</bdi>,
  },
  ...OWNER_COLUMNS,
  {
    id: "lastModifiedTime",
    name: "Changed",
    width: 120,
    allowsSorting: true,
    cell: ({ lastModifiedTime }) => <Time time={lastModifiedTime} />,
  },
];

export default function LayerList() {
  const search = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const { buildLocation } = useRouter();
  const { projectID } = useParams({ from: "/projects/$projectID" });
  const { data: answer } = useSuspenseQuery(query("listLayers", plainListRequest(search)));
  const { data: units } = useQuery(query("listUnitIDTypes", { query: { limit: 1000 } }));
  const [idType, setIDType] = useState("userID");
  const open = (id: string) => navigate({ to: "/projects/$projectID/layers/$id", params: (params) => ({ ...params, id }) });
  return (
    <EntityList
      noun="layer"
      nouns="layers"
      title="Layers"
      answer={answer}
      columns={COLUMNS}
      getID={({ id }) => id}
      href={({ id }) => buildLocation({ to: "/projects/$projectID/layers/$id", params: { projectID, id } }).href}
      filters={<ListFilters noun="layers" hasTags={false} hasTeams hasOwners />}
      usualSort="createdTime"
      disabledReason={useRefusal()("create_configs")}
      create={(isOpen, onClose) => (
        <CreateEntity
          hasTeam
          hasOwner
          noun="layer"
          isOpen={isOpen}
          onClose={onClose}
          fields={(faultAt) => (
            <Select
              label="Unit ID type"
              options={[...new Set(["userID", ...(units?.data ?? []).map(({ name }) => name)])].map((id) => ({ id, label: id }))}
              value={idType}
              onChange={setIDType}
              description="Split by user, device, or company."
              error={faultAt("idType")}
            />
          )}
          create={async ({ name, description, ...owner }) => {
            const { data } = await call("createLayer", {
              body: { ...owner, name, description, idType },
            });
            await invalidate("listLayers");
            await open(data.id);
          }}
        />
      )}
      purpose="Run experiments that never share a user. Your code reads parameters of the layer."
    />
  );
}
