import { useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useRouter, useSearch } from "@tanstack/react-router";
import { call, invalidate, query, type Schema } from "../../api.ts";
import { exact } from "../../charts/format.ts";
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

const FROM = "/projects/$projectID/dashboards";

const COLUMNS: TableColumn<Schema<"Dashboard">>[] = [
  {
    id: "name",
    name: "Name",
    width: "2fr",
    minWidth: 200,
    isRowHeader: true,
    allowsSorting: true,
    cell: ({ id, name }) => <NameCell id={id} name={name} />,
  },
  { id: "widgets", name: "Widgets", width: 90, cell: ({ widgets }) => exact(widgets.length) },
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

export default function DashboardList() {
  const search = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const { buildLocation } = useRouter();
  const { projectID } = useParams({ from: "/projects/$projectID" });
  const { data: answer } = useSuspenseQuery(query("listDashboards", plainListRequest(search)));
  const open = (id: string) => navigate({ to: "/projects/$projectID/dashboards/$id", params: (params) => ({ ...params, id }) });
  return (
    <EntityList
      noun="dashboard"
      nouns="dashboards"
      title="Dashboards"
      answer={answer}
      columns={COLUMNS}
      getID={({ id }) => id}
      href={({ id }) => buildLocation({ to: "/projects/$projectID/dashboards/$id", params: { projectID, id } }).href}
      filters={<ListFilters noun="dashboards" hasTeams hasOwners />}
      usualSort="createdTime"
      disabledReason={useRefusal()("create_or_edit_dashboards")}
      create={(isOpen, onClose) => (
        <CreateEntity
          hasTeam
          hasOwner
          noun="dashboard"
          isOpen={isOpen}
          onClose={onClose}
          create={async ({ id: _, ...body }) => {
            const { data } = await call("createDashboard", { body });
            await invalidate("listDashboards", "listChanges");
            await open(data.id);
          }}
        >
          Next, add widgets to show metrics, experiments, alerts, or text.
        </CreateEntity>
      )}
      purpose="Show the metrics, experiments, and alerts that belong together on one page."
    />
  );
}
