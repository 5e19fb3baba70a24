import { useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useRouter, useSearch } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useMemo, useState } from "react";
import { query, type Schema } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { useRefusal } from "../../session/account.ts";
import { Page } from "../../shell/page.tsx";
import { useOfferActions } from "../../shell/page-actions.ts";
import { Button } from "../../ui/button.tsx";
import { SearchField } from "../../ui/field.tsx";
import { Empty } from "../../ui/notice.tsx";
import { Table, type TableColumn } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { CreateTeam } from "./create.tsx";
import { teamListRequest } from "./list-search.ts";
import styles from "./teams.module.css";

const FROM = "/projects/$projectID/teams";

export default function TeamList() {
  const search = useSearch({ from: FROM });
  const { data } = useSuspenseQuery(query("listTeams", teamListRequest(search)));
  const navigate = useNavigate({ from: FROM });
  const { buildLocation } = useRouter();
  const { projectID } = useParams({ from: "/projects/$projectID" });
  const [isCreating, setCreating] = useState(false);
  const refusal = useRefusal()("create_teams");
  useOfferActions(
    useMemo(
      () => (refusal === undefined ? [{ id: "create", label: "Create a team", shortcut: "c", run: () => setCreating(true) }] : []),
      [refusal],
    ),
  );
  const create = (
    <Button look="primary" onPress={() => setCreating(true)} disabledReason={refusal}>
      <Plus aria-hidden="true" />
      Create team
    </Button>
  );
  return (
    <Page title="Teams" actions={create}>
      <p className={entity.soft}>Teams own gates, configs, and experiments, and can limit who edits them.</p>
      <search aria-label="Filters">
        <SearchField
          label="Search teams"
          placeholder="Search by name or description"
          value={search.search ?? ""}
          onChange={(text) => void navigate({ search: text === "" ? {} : { search: text }, replace: true })}
        />
      </search>
      <Table
        label="Teams"
        columns={COLUMNS}
        items={data.data}
        getID={({ id }) => id}
        href={({ id }) => buildLocation({ to: "/projects/$projectID/teams/$id", params: { projectID, id } }).href}
        empty={
          search.search === undefined ? (
            <Empty title="No teams yet" action={create}>
              Create a team to own gates, configs, and experiments.
            </Empty>
          ) : (
            <Empty title="No matching teams" action={<Button onPress={() => void navigate({ search: {} })}>Clear search</Button>} />
          )
        }
      />
      {isCreating && <CreateTeam onClose={() => setCreating(false)} />}
    </Page>
  );
}

const COLUMNS: TableColumn<Schema<"Team">>[] = [
  {
    id: "name",
    name: "Name",
    width: "1fr",
    minWidth: 140,
    isRowHeader: true,
    cell: ({ name }) => (
      <bdi className={styles.name} title={name}>
        {name}
      </bdi>
    ),
  },
  { id: "description", name: "Description", width: "2fr", minWidth: 140, cell: ({ description }) => <bdi>{description}</bdi> },
  {
    id: "changeTeamConfigs",
    name: "Can edit",
    width: 180,
    cell: ({ changeTeamConfigs }) => (changeTeamConfigs === "team_only" ? "Only the team" : "Anyone"),
  },
  { id: "changed", name: "Changed", width: 130, cell: ({ lastModifiedTime }) => <Time time={lastModifiedTime} /> },
];
