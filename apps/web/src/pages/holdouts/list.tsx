import { useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useRouter, useSearch } from "@tanstack/react-router";
import { call, invalidate, query, type Schema } from "../../api.ts";
import { OWNER_COLUMNS } from "../../entity/common-columns.tsx";
import { CreateEntity } from "../../entity/create-entity.tsx";
import { EntityList } from "../../entity/entity-list.tsx";
import { ListFilters } from "../../entity/list-filters.tsx";
import { NameCell } from "../../entity/name-cell.tsx";
import { useRefusal } from "../../session/account.ts";
import { Badge, Chip } from "../../ui/badge.tsx";
import type { TableColumn } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { holdoutListRequest } from "./list-search.ts";

type Holdout = Schema<"Holdout">;
const FROM = "/projects/$projectID/holdouts";

/** The entities that a holdout holds back, in a few words. */
function heldBy({ isGlobal, gateIDs, experimentIDs, layerIDs }: Holdout): string {
  if (isGlobal) return "Everything";
  const counts = [
    { count: gateIDs.length, one: "gate" },
    { count: experimentIDs.length, one: "experiment" },
    { count: layerIDs.length, one: "layer" },
  ].filter(({ count }) => count > 0);
  return counts.map(({ count, one }) => `${count} ${one}${count === 1 ? "" : "s"}`).join(", ") || "Nothing";
}

const COLUMNS: TableColumn<Holdout>[] = [
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
    id: "status",
    name: "Status",
    width: 120,
    cell: ({ isEnabled }) => <Badge tone={isEnabled ? "good" : "off"}>{isEnabled ? "Enabled" : "Disabled"}</Badge>,
  },
  { id: "share", name: "Held out", width: 100, cell: ({ passPercentage }) => `${passPercentage}%` },
  { id: "held", name: "From", width: "2fr", minWidth: 160, cell: heldBy },
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

export default function HoldoutList() {
  const search = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const { buildLocation } = useRouter();
  const { projectID } = useParams({ from: "/projects/$projectID" });
  const { data: answer } = useSuspenseQuery(query("listHoldouts", holdoutListRequest(search)));
  const open = (id: string) => navigate({ to: "/projects/$projectID/holdouts/$id", params: (params) => ({ ...params, id }) });
  return (
    <EntityList
      noun="holdout"
      nouns="holdouts"
      title="Holdouts"
      answer={answer}
      columns={COLUMNS}
      getID={({ id }) => id}
      href={({ id }) => buildLocation({ to: "/projects/$projectID/holdouts/$id", params: { projectID, id } }).href}
      filters={<ListFilters noun="holdouts" statuses={{ enabled: "Enabled", disabled: "Disabled" }} hasTeams hasOwners />}
      usualSort="createdTime"
      disabledReason={useRefusal()("create_configs")}
      create={(isOpen, onClose) => (
        <CreateEntity
          hasTeam
          hasOwner
          noun="holdout"
          isOpen={isOpen}
          onClose={onClose}
          hasIDType
          create={async (body) => {
            const { data } = await call("createHoldout", { body });
            await invalidate("listHoldouts");
            await open(data.id);
          }}
        >
          No users are held out at first. Set the share and the features on the next page.
        </CreateEntity>
      )}
      purpose="Keep a small share of users away from new features to measure their combined impact."
    />
  );
}
