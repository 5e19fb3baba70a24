import { useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useRouter, useSearch } from "@tanstack/react-router";
import { call, invalidate, query, type Schema } from "../../api.ts";
import { OWNER_COLUMNS } from "../../entity/common-columns.tsx";
import { CreateEntity } from "../../entity/create-entity.tsx";
import { EntityList } from "../../entity/entity-list.tsx";
import { ListFilters } from "../../entity/list-filters.tsx";
import { NameCell } from "../../entity/name-cell.tsx";
import { plainListRequest } from "../../entity/plain-list-search.ts";
import { useRefusal } from "../../session/account.ts";
import { Chip } from "../../ui/badge.tsx";
import type { TableColumn } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";

const FROM = "/projects/$projectID/param-stores";

const COLUMNS: TableColumn<Schema<"ParamStore">>[] = [
  {
    id: "name",
    name: "Name",
    width: "2fr",
    minWidth: 200,
    isRowHeader: true,
    allowsSorting: true,
    cell: ({ id, displayName }) => <NameCell id={id} name={displayName} />,
  },
  {
    id: "parameters",
    name: "Parameters",
    width: "2fr",
    minWidth: 140,
    cell: ({ parameters }) => <bdi>{parameters.map(({ name }) => name).join(", ")}</bdi>,
  },
  { id: "tags", name: "Tags", width: "1fr", minWidth: 90, cell: ({ tags }) => tags.map((tag) => <Chip key={tag}>{tag}</Chip>) },
  ...OWNER_COLUMNS,
  {
    id: "lastModifiedTime",
    name: "Changed",
    width: 120,
    allowsSorting: true,
    cell: ({ lastModifiedTime }) => <Time time={lastModifiedTime} />,
  },
];

export default function ParamStoreList() {
  const search = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const { buildLocation } = useRouter();
  const { projectID } = useParams({ from: "/projects/$projectID" });
  const { data: answer } = useSuspenseQuery(query("listParamStores", plainListRequest(search)));
  const open = (name: string) => navigate({ to: "/projects/$projectID/param-stores/$id", params: (params) => ({ ...params, id: name }) });
  return (
    <EntityList
      noun="param store"
      nouns="param stores"
      title="Param stores"
      answer={answer}
      columns={COLUMNS}
      getID={({ id }) => id}
      href={({ name }) => buildLocation({ to: "/projects/$projectID/param-stores/$id", params: { projectID, id: name } }).href}
      filters={<ListFilters noun="param stores" hasTeams hasOwners />}
      usualSort="createdTime"
      disabledReason={useRefusal()("create_configs")}
      create={(isOpen, onClose) => (
        <CreateEntity
          hasTeam
          hasOwner
          noun="param store"
          isOpen={isOpen}
          onClose={onClose}
          nameHint="Your code reads it by name. The name can’t be changed later."
          create={async ({ id: _, ...body }) => {
            const { data: made } = await call("createParamStore", { body });
            await invalidate("listParamStores");
            await open(made.name);
          }}
        />
      )}
      purpose="Read values by name, and change where they come from without a release."
    />
  );
}
