import { useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useRouter, useSearch } from "@tanstack/react-router";
import { call, invalidate, query } from "../../api.ts";
import { OWNER_COLUMNS } from "../../entity/common-columns.tsx";
import { CreateEntity } from "../../entity/create-entity.tsx";
import { EntityList } from "../../entity/entity-list.tsx";
import { ListFilters } from "../../entity/list-filters.tsx";
import { NameCell } from "../../entity/name-cell.tsx";
import { plainListRequest } from "../../entity/plain-list-search.ts";
import { useRefusal } from "../../session/account.ts";
import type { TableColumn } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import type { Pipeline } from "./pipeline-draft.ts";

const FROM = "/projects/$projectID/release-pipelines";

const COLUMNS: TableColumn<Pipeline>[] = [
  {
    id: "name",
    name: "Name",
    width: "2fr",
    minWidth: 200,
    isRowHeader: true,
    allowsSorting: true,
    cell: ({ id, name }) => <NameCell id={id} name={name} />,
  },
  {
    id: "phases",
    name: "Phases",
    width: "3fr",
    minWidth: 160,
    cell: ({ phases }) => <bdi>{[...phases.map(({ name }) => name), "Everyone"].join(" → ")}</bdi>,
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

/** The phase that a new pipeline begins with. */
const FIRST_PHASE = { name: "First phase", timeIntervalMs: 86_400_000, requiredReview: false, rules: [] };

export default function ReleasePipelineList() {
  const search = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const { buildLocation } = useRouter();
  const { projectID } = useParams({ from: "/projects/$projectID" });
  const { data: answer } = useSuspenseQuery(query("listReleasePipelines", plainListRequest(search)));
  const open = (id: string) => navigate({ to: "/projects/$projectID/release-pipelines/$id", params: (params) => ({ ...params, id }) });
  return (
    <EntityList
      noun="release pipeline"
      nouns="release pipelines"
      title="Release pipelines"
      answer={answer}
      columns={COLUMNS}
      getID={({ id }) => id}
      href={({ id }) => buildLocation({ to: "/projects/$projectID/release-pipelines/$id", params: { projectID, id } }).href}
      filters={<ListFilters noun="release pipelines" hasTags={false} hasTeams hasOwners />}
      usualSort="createdTime"
      disabledReason={useRefusal()("create_release_pipelines")}
      create={(isOpen, onClose) => (
        <CreateEntity
          hasTeam
          hasOwner
          noun="release pipeline"
          isOpen={isOpen}
          onClose={onClose}
          hasDescription={false}
          nameHint="You can change it later."
          create={async ({ description: _, ...own }) => {
            const { data: made } = await call("createReleasePipeline", { body: { ...own, phases: [FIRST_PHASE] } });
            await invalidate("listReleasePipelines", "listChanges");
            await open(made.id);
          }}
        >
          It starts with one phase. Choose its users on the next page.
        </CreateEntity>
      )}
      purpose="Release each change to some users first, such as staff or one country, before everyone gets it."
    />
  );
}
