import { useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useRouter, useSearch } from "@tanstack/react-router";
import { instanceQuery, type Schema } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { useAccount } from "../../session/account.ts";
import { personName } from "../../session/names.ts";
import { Pager } from "../../shell/pager.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { SearchField } from "../../ui/field.tsx";
import { Empty } from "../../ui/notice.tsx";
import { Table, type TableColumn } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { PersonDialog } from "./person.tsx";
import { peopleRequest } from "./search.ts";

const FROM = "/projects/$projectID/instance";

/** The people with an account. */
export function People() {
  const search = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const { buildLocation } = useRouter();
  const { projectID } = useParams({ from: "/projects/$projectID" });
  const { person: me } = useAccount();
  const { data } = useSuspenseQuery(instanceQuery("listPeople", peopleRequest(search)));
  const open = (person: string | undefined) => void navigate({ search: (known) => ({ ...known, person }), replace: person === undefined });
  return (
    <>
      <search aria-label="Filters">
        <SearchField
          label="Search people"
          placeholder="Search by name or email"
          value={search.search ?? ""}
          onChange={(text) => void navigate({ search: text === "" ? {} : { search: text }, replace: true })}
        />
      </search>
      <p className={entity.soft}>To add people, invite them on a project’s People page.</p>
      <Table
        label="People"
        columns={createColumns(me.id)}
        items={data.data}
        getID={({ id }) => id}
        href={({ id }) =>
          buildLocation({ to: "/projects/$projectID/instance", params: { projectID }, search: { ...search, person: id } }).href
        }
        empty={<Empty title="No matching people" action={<Button onPress={() => void navigate({ search: {} })}>Clear search</Button>} />}
      />
      <Pager
        pagination={data.pagination}
        noun="people"
        onPage={(page) => void navigate({ search: (known) => ({ ...known, page: page > 1 ? page : undefined }) })}
      />
      {search.person !== undefined && <PersonDialog key={search.person} id={search.person} onClose={() => open(undefined)} />}
    </>
  );
}

const createColumns = (ownID: string): TableColumn<Schema<"Person">>[] => [
  {
    id: "name",
    name: "Name",
    width: "2fr",
    minWidth: 190,
    isRowHeader: true,
    cell: (person) => (
      <>
        <bdi>{personName(person)}</bdi> {person.id === ownID && <Badge>You</Badge>}
        {person.isAdministrator && <Badge tone="active">Administrator</Badge>}
        {person.isProvisioned && <Badge>SCIM</Badge>}
        {!person.isActive && <Badge tone="off">Deactivated</Badge>}
      </>
    ),
  },
  { id: "email", name: "Email", width: "2fr", minWidth: 160, cell: ({ email }) => <bdi title={email}>{email}</bdi> },
  { id: "joined", name: "Since", width: 130, cell: ({ createdTime }) => <Time time={createdTime} /> },
];
