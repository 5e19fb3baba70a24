import { useSuspenseQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useRouter, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { call, invalidate, query } from "../../api.ts";
import { OWNER_COLUMNS } from "../../entity/common-columns.tsx";
import { CreateEntity } from "../../entity/create-entity.tsx";
import { LayerChoice } from "../../entity/entity-choice.tsx";
import { EntityList } from "../../entity/entity-list.tsx";
import { ListFilters } from "../../entity/list-filters.tsx";
import { NameCell } from "../../entity/name-cell.tsx";
import { useRefusal } from "../../session/account.ts";
import { Badge, Chip } from "../../ui/badge.tsx";
import { TextField } from "../../ui/field.tsx";
import type { TableColumn } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { experimentListRequest } from "./list-search.ts";
import { type Experiment, STATUS_NAMES, STATUS_TONES } from "./states.ts";

const FROM = "/projects/$projectID/experiments";

const COLUMNS: TableColumn<Experiment>[] = [
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
    width: 140,
    allowsSorting: true,
    cell: ({ status }) => <Badge tone={STATUS_TONES[status]}>{STATUS_NAMES[status]}</Badge>,
  },
  {
    id: "groups",
    name: "Groups",
    width: "1fr",
    minWidth: 140,
    cell: ({ groups }) => <bdi>{groups.map(({ name }) => name).join(", ")}</bdi>,
  },
  { id: "allocation", name: "Allocation", width: 100, cell: ({ allocation }) => `${allocation}%` },
  { id: "layer", name: "Layer", width: 130, cell: ({ layerID }) => <bdi>{layerID ?? ""}</bdi> },
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

export default function ExperimentList() {
  const search = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const { buildLocation } = useRouter();
  const { projectID } = useParams({ from: "/projects/$projectID" });
  const { data: answer } = useSuspenseQuery(query("listExperiments", experimentListRequest(search)));
  const [hypothesis, setHypothesis] = useState("");
  const [layerID, setLayerID] = useState<string | null>(null);
  const open = (id: string) => navigate({ to: "/projects/$projectID/experiments/$id", params: (params) => ({ ...params, id }) });
  return (
    <EntityList
      noun="experiment"
      nouns="experiments"
      title="Experiments"
      answer={answer}
      columns={COLUMNS}
      getID={({ id }) => id}
      href={({ id }) => buildLocation({ to: "/projects/$projectID/experiments/$id", params: { projectID, id } }).href}
      filters={<ListFilters noun="experiments" statuses={STATUS_NAMES} hasTeams hasOwners />}
      actions={
        <Link to="/projects/$projectID/portfolio" params={{ projectID }}>
          Portfolio
        </Link>
      }
      usualSort="createdTime"
      disabledReason={useRefusal()("create_configs")}
      create={(isOpen, onClose) => (
        <CreateEntity
          hasTeam
          hasOwner
          noun="experiment"
          isOpen={isOpen}
          onClose={onClose}
          hasIDType
          hasDescription={false}
          fields={(faultAt) => (
            <>
              <TextField
                label="Hypothesis"
                rows={3}
                value={hypothesis}
                onChange={setHypothesis}
                description="The change you expect, and why. You can edit it until you decide."
                error={faultAt("hypothesis")}
              />
              <LayerChoice
                label="Layer"
                placeholder="None (not in a layer)"
                value={layerID}
                onChange={setLayerID}
                onClear={() => setLayerID(null)}
                error={faultAt("layerID")}
              />
            </>
          )}
          create={async ({ description: _, ...own }) => {
            const { data } = await call("createExperiment", {
              body: { ...own, hypothesis, ...(layerID !== null && { layerID }) },
            });
            setHypothesis("");
            setLayerID(null);
            await invalidate("listExperiments");
            await open(data.id);
          }}
        >
          Starts in setup with the groups Control and Test. No users take part until you start it.
        </CreateEntity>
      )}
      purpose="Compare groups of users with different values, and see how your metrics change."
      leftOut="Includes archived experiments."
    />
  );
}
