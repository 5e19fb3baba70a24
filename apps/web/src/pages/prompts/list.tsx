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

const FROM = "/projects/$projectID/prompts";

const COLUMNS: TableColumn<Schema<"Prompt">>[] = [
  {
    id: "name",
    name: "Name",
    width: "2fr",
    minWidth: 200,
    isRowHeader: true,
    allowsSorting: true,
    cell: ({ id, displayName }) => <NameCell id={id} name={displayName} />,
  },
  { id: "description", name: "Description", width: "2fr", minWidth: 140, cell: ({ description }) => <bdi>{description}</bdi> },
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

export default function PromptList() {
  const search = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const { buildLocation } = useRouter();
  const { projectID } = useParams({ from: "/projects/$projectID" });
  const { data: answer } = useSuspenseQuery(query("listPrompts", plainListRequest(search)));
  const open = (id: string) => navigate({ to: "/projects/$projectID/prompts/$id", params: (params) => ({ ...params, id }) });
  return (
    <EntityList
      noun="prompt"
      nouns="prompts"
      title="Prompts"
      answer={answer}
      columns={COLUMNS}
      getID={({ id }) => id}
      href={({ id }) => buildLocation({ to: "/projects/$projectID/prompts/$id", params: { projectID, id } }).href}
      filters={<ListFilters noun="prompts" hasTeams hasOwners />}
      usualSort="createdTime"
      disabledReason={useRefusal()("create_configs")}
      create={(isOpen, onClose) => (
        <CreateEntity
          hasTeam
          hasOwner
          noun="prompt"
          isOpen={isOpen}
          onClose={onClose}
          create={async ({ idType: _, ...body }) => {
            const { data } = await call("createPrompt", { body });
            await invalidate("listPrompts");
            await open(data.id);
          }}
        >
          Next, add versions with the messages and the model.
        </CreateEntity>
      )}
      purpose="Change the prompts of your applications without a deployment, and compare versions."
    />
  );
}
