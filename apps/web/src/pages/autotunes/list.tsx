import { useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useRouter, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { call, invalidate, query } from "../../api.ts";
import { OWNER_COLUMNS } from "../../entity/common-columns.tsx";
import { CreateEntity } from "../../entity/create-entity.tsx";
import { EntityList } from "../../entity/entity-list.tsx";
import { EventField } from "../../entity/event-field.tsx";
import { ListFilters } from "../../entity/list-filters.tsx";
import { NameCell } from "../../entity/name-cell.tsx";
import { statusListRequest } from "../../entity/plain-list-search.ts";
import { useRefusal } from "../../session/account.ts";
import { Badge, Chip } from "../../ui/badge.tsx";
import type { TableColumn } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { type Autotune, autotuneState, STATES, STATUS_NAMES } from "./states.ts";

const FROM = "/projects/$projectID/autotunes";

/** The variant that gets the most traffic, or the winner. */
function nameLeader({ winner, progress, variants }: Autotune): string {
  if (winner !== null) return winner.name;
  const [most] = [...(progress?.variants ?? [])].sort((one, other) => other.share - one.share);
  const shares = new Set(progress?.variants.map(({ share }) => Math.round(share)));
  if (!most || shares.size < 2) return "None yet";
  return `${variants.find(({ id }) => id === most.id)?.name ?? most.id}, ${Math.round(most.share)}%`;
}

const COLUMNS: TableColumn<Autotune>[] = [
  {
    id: "name",
    name: "Name",
    width: "2fr",
    minWidth: 200,
    isRowHeader: true,
    allowsSorting: true,
    cell: ({ id, name }) => <NameCell id={id} name={name ?? id} />,
  },
  {
    id: "status",
    name: "Status",
    width: 120,
    cell: (autotune) => {
      const { name, tone } = STATES[autotuneState(autotune)];
      return <Badge tone={tone}>{name}</Badge>;
    },
  },
  { id: "variants", name: "Variants", width: 90, cell: ({ variants }) => variants.length },
  { id: "leader", name: "Most traffic", width: "1fr", minWidth: 130, cell: (autotune) => <bdi>{nameLeader(autotune)}</bdi> },
  { id: "tags", name: "Tags", width: "1fr", minWidth: 90, cell: ({ tags = [] }) => tags.map((tag) => <Chip key={tag}>{tag}</Chip>) },
  ...OWNER_COLUMNS,
  {
    id: "lastModifiedTime",
    name: "Changed",
    width: 120,
    allowsSorting: true,
    cell: ({ lastModifiedTime }) => <Time time={lastModifiedTime} />,
  },
];

/** Initial values of a new autotune. */
const DEFAULTS = {
  variants: [
    { name: "A", json: {} },
    { name: "B", json: {} },
  ],
  explorationWindow: "24hr",
  attributionWindow: "1hr",
  winnerThreshold: "95%",
} as const;

export default function AutotuneList() {
  const search = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const { buildLocation } = useRouter();
  const { projectID } = useParams({ from: "/projects/$projectID" });
  const { data: answer } = useSuspenseQuery(query("listAutotunes", statusListRequest(search)));
  const [successEvent, setSuccessEvent] = useState("");
  const open = (id: string) => navigate({ to: "/projects/$projectID/autotunes/$id", params: (params) => ({ ...params, id }) });
  return (
    <EntityList
      noun="autotune"
      nouns="autotunes"
      title="Autotunes"
      answer={answer}
      columns={COLUMNS}
      getID={({ id }) => id}
      href={({ id }) => buildLocation({ to: "/projects/$projectID/autotunes/$id", params: { projectID, id } }).href}
      filters={<ListFilters noun="autotunes" statuses={STATUS_NAMES} hasTeams hasOwners />}
      usualSort="createdTime"
      disabledReason={useRefusal()("create_configs")}
      create={(isOpen, onClose) => (
        <CreateEntity
          hasTeam
          hasOwner
          noun="autotune"
          isOpen={isOpen}
          onClose={onClose}
          hasIDType
          fields={(faultAt) => (
            <EventField
              label="Outcome"
              isRequired
              value={successEvent}
              onChange={setSuccessEvent}
              description="The event that you want more of, such as purchase."
              error={faultAt("successEvent")}
            />
          )}
          create={async (body) => {
            const { data } = await call("createAutotune", {
              body: { ...DEFAULTS, variants: [...DEFAULTS.variants], ...body, successEvent },
            });
            await invalidate("listAutotunes");
            setSuccessEvent("");
            await open(data.id);
          }}
        >
          Starts with two empty variants. Set their values on the next page, then start it.
        </CreateEntity>
      )}
      purpose="Let traffic move to the best variant automatically while it learns."
    />
  );
}
