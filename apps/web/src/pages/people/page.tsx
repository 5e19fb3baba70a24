import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useRouter, useSearch } from "@tanstack/react-router";
import { UserPlus } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { invalidate, query, type Schema } from "../../api.ts";
import { useAccount, useProject, useRefusal } from "../../session/account.ts";
import { isFound, membersRequest } from "../../session/members.ts";
import { personName } from "../../session/names.ts";
import { Page } from "../../shell/page.tsx";
import { useOfferActions } from "../../shell/page-actions.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/choice.tsx";
import { SearchField } from "../../ui/field.tsx";
import { Empty } from "../../ui/notice.tsx";
import { Table, type TableColumn } from "../../ui/table.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { Time } from "../../ui/time.tsx";
import { Invitations, invitationsRequest } from "./invitations.tsx";
import { Invite } from "./invite.tsx";
import { MemberDialog } from "./member.tsx";
import styles from "./people.module.css";

type Member = Schema<"Member">;
const FROM = "/projects/$projectID/people";
const ANY = "any";

export default function PeoplePage() {
  const { view = "members", person } = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const { name } = useProject();
  const { data } = useSuspenseQuery(query("listUsers", membersRequest));
  const [isInviting, setInviting] = useState(false);
  const refusal = useRefusal()("invitation_access");
  useOfferActions(
    useMemo(
      () => (refusal === undefined ? [{ id: "invite", label: "Invite people", shortcut: "c", run: () => setInviting(true) }] : []),
      [refusal],
    ),
  );
  useReadOnFocus();
  const { data: invitations } = useQuery({ ...query("listInvitations", invitationsRequest), enabled: refusal === undefined });
  const invited = useMemo(() => new Set((invitations?.data ?? []).map(({ email }) => email)), [invitations]);
  const member = data.data.find(({ id }) => id === person);
  return (
    <Page
      title="People"
      actions={
        <Button look="primary" onPress={() => setInviting(true)} disabledReason={refusal}>
          <UserPlus aria-hidden="true" />
          Invite people
        </Button>
      }
    >
      <p className={styles.soft}>
        People with a role in <bdi>{name}</bdi>. Server administrators have access without being listed.
      </p>
      <Tabs
        label="Views of people"
        selected={view}
        onSelect={(next) => void navigate({ search: next === "members" ? {} : { view: next }, replace: true })}
        tabs={[
          {
            ...{ id: "members", label: "Members", hint: data.pagination.totalItems - invited.size },
            content: () => <Members members={data.data} invited={invited} />,
          },
          {
            id: "invitations",
            label: "Invitations",
            ...(invited.size > 0 && { hint: invited.size }),
            content: () => <Invitations refusal={refusal} />,
          },
        ]}
      />
      {isInviting && <Invite onClose={() => setInviting(false)} />}
      {member !== undefined && (
        <MemberDialog
          key={member.id}
          member={member}
          onClose={() => void navigate({ search: ({ person: _, ...others }) => others, replace: true })}
        />
      )}
    </Page>
  );
}

/**
 * Reads members and invitations again when the window gets the focus. Accepting an invitation does not change the project, so its stream
 * is silent. A timer would keep an unused session from ending.
 */
function useReadOnFocus(): void {
  useEffect(() => {
    const readAgain = () => void invalidate("listUsers", "listInvitations");
    window.addEventListener("focus", readAgain);
    return () => window.removeEventListener("focus", readAgain);
  }, []);
}

function Members({ members, invited }: { members: readonly Member[]; invited: ReadonlySet<string> }) {
  const address = useSearch({ from: FROM });
  const { search, role } = address;
  const navigate = useNavigate({ from: FROM });
  const { buildLocation } = useRouter();
  const { projectID } = useParams({ from: "/projects/$projectID" });
  const { person } = useAccount();
  const roles = [...new Set(members.map((member) => member.role))].sort();
  const shown = members.filter(
    (member) => (role === undefined || member.role === role) && (search === undefined || isFound(member, search)),
  );
  const columns = useMemo(() => createColumns(person.id, invited), [person.id, invited]);
  return (
    <>
      <search className={styles.filters} aria-label="Filters">
        <SearchField
          label="Search people"
          placeholder="Search by name or email"
          value={search ?? ""}
          onChange={(text) => void navigate({ search: (known) => ({ ...known, search: text === "" ? undefined : text }), replace: true })}
        />
        <Select
          label="Role"
          isLabelHidden
          options={[{ id: ANY, label: "Any role" }, ...roles.map((id) => ({ id: `=${id}`, label: id }))]}
          value={role === undefined ? ANY : `=${role}`}
          onChange={(id) => void navigate({ search: (known) => ({ ...known, role: id === ANY ? undefined : id.slice(1) }), replace: true })}
        />
      </search>
      <Table
        label="Members"
        columns={columns}
        items={shown}
        getID={({ id }) => id}
        href={({ id }) => buildLocation({ to: FROM, params: { projectID }, search: { ...address, person: id } }).href}
        empty={
          members.length === 0 ? (
            <Empty title="No members yet">
              {person.isAdministrator && "You have access as a server administrator. "}Invite the people who work on this project.
            </Empty>
          ) : (
            <Empty title="No matching people" action={<Button onPress={() => void navigate({ search: {} })}>Clear filters</Button>} />
          )
        }
      />
    </>
  );
}

/** @param invited the email addresses of people who haven’t accepted yet */
function createColumns(ownID: string, invited: ReadonlySet<string>): TableColumn<Member>[] {
  return [
    {
      id: "name",
      name: "Name",
      width: "2fr",
      minWidth: 190,
      isRowHeader: true,
      cell: (member) => (
        <>
          <span className={styles.name}>
            <bdi title={personName(member)}>{personName(member)}</bdi>
            {personName(member) !== member.email && <span title={member.email}>{member.email}</span>}
          </span>
          {member.id === ownID && <Badge>You</Badge>}
          {invited.has(member.email.toLowerCase()) && <Badge tone="warn">Invited</Badge>}
          {!member.isActive && <Badge tone="off">Deactivated</Badge>}
        </>
      ),
    },
    { id: "role", name: "Role", width: "1fr", minWidth: 110, cell: ({ role }) => <bdi>{role}</bdi> },
    {
      id: "joined",
      name: "Member since",
      width: 140,
      cell: ({ email, createdTime }) => (invited.has(email.toLowerCase()) ? null : <Time time={createdTime} />),
    },
  ];
}
