import { useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useRouter, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { call, invalidate, query, type Schema } from "../../api.ts";
import { OWNER_COLUMNS } from "../../entity/common-columns.tsx";
import { CreateEntity } from "../../entity/create-entity.tsx";
import { EntityList } from "../../entity/entity-list.tsx";
import { ListFilters } from "../../entity/list-filters.tsx";
import { NameCell } from "../../entity/name-cell.tsx";
import { useRefusal } from "../../session/account.ts";
import { Badge, Chip } from "../../ui/badge.tsx";
import { Select } from "../../ui/choice.tsx";
import { formatNumber } from "../../ui/number-text.ts";
import type { TableColumn } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { segmentListRequest } from "./list-search.ts";
import { isIDList, OFFERED_TYPES, TYPES } from "./states.ts";

type Segment = Schema<"Segment">;
type OfferedType = (typeof OFFERED_TYPES)[number]["id"];
const FROM = "/projects/$projectID/segments";

const COLUMNS: TableColumn<Segment>[] = [
  {
    id: "name",
    name: "Name",
    width: "2fr",
    minWidth: 200,
    isRowHeader: true,
    allowsSorting: true,
    cell: ({ id, name }) => <NameCell id={id} name={name} />,
  },
  { id: "type", name: "Type", width: 170, cell: ({ type, isEnabled }) => (isEnabled ? TYPES[type] : <Badge tone="off">Archived</Badge>) },
  { id: "members", name: "Members", width: 140, cell: describeMembers },
  { id: "tags", name: "Tags", width: "1fr", minWidth: 100, cell: ({ tags }) => tags.map((tag) => <Chip key={tag}>{tag}</Chip>) },
  ...OWNER_COLUMNS,
  {
    id: "lastModifiedTime",
    name: "Changed",
    width: 120,
    allowsSorting: true,
    cell: ({ lastModifiedTime }) => <Time time={lastModifiedTime} />,
  },
];

function describeMembers({ type, count: ids, rules }: Segment): string {
  if (isIDList(type)) return ids === 1 ? "1 ID" : `${formatNumber(ids)} IDs`;
  return rules.length === 1 ? "1 rule" : `${formatNumber(rules.length)} rules`;
}

export default function SegmentList() {
  const search = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const { buildLocation } = useRouter();
  const { projectID } = useParams({ from: "/projects/$projectID" });
  const { data: answer } = useSuspenseQuery(query("listSegments", segmentListRequest(search)));
  const [type, setType] = useState<OfferedType>("rule_based");
  const open = (id: string) => navigate({ to: "/projects/$projectID/segments/$id", params: (params) => ({ ...params, id }) });
  return (
    <EntityList
      noun="segment"
      nouns="segments"
      title="Segments"
      answer={answer}
      columns={COLUMNS}
      getID={({ id }) => id}
      href={({ id }) => buildLocation({ to: "/projects/$projectID/segments/$id", params: { projectID, id } }).href}
      filters={<ListFilters noun="segments" statuses={{ all: "Include archived" }} anyStatus="Not archived" hasTeams hasOwners />}
      usualSort="createdTime"
      disabledReason={useRefusal()("create_configs")}
      create={(isOpen, onClose) => (
        <CreateEntity
          hasTeam
          hasOwner
          noun="segment"
          isOpen={isOpen}
          onClose={onClose}
          hasIDType
          fields={(faultAt) => (
            <Select
              label="Members"
              options={OFFERED_TYPES}
              value={type}
              onChange={(chosen) => setType(chosen as OfferedType)}
              error={faultAt("type")}
            />
          )}
          create={async (body) => {
            const { data } = await call("createSegment", { body: { ...body, type } });
            await invalidate("listSegments");
            await open(data.id);
          }}
        >
          Empty at first. {type === "rule_based" ? "Add rules" : "Add IDs"} on the next page.
        </CreateEntity>
      )}
      purpose="Define a group of users once and target it from many gates, dynamic configs and experiments."
      leftOut="Archived segments are hidden."
    />
  );
}
