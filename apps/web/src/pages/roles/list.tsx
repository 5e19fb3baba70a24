import { useSuspenseQuery } from "@tanstack/react-query";
import { useParams, useRouter } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useMemo, useState } from "react";
import { query, type Schema } from "../../api.ts";
import { useRefusal } from "../../session/account.ts";
import { countPermissions, PERMISSION_WORDS } from "../../session/permissions.ts";
import { Page } from "../../shell/page.tsx";
import { useOfferActions } from "../../shell/page-actions.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Empty } from "../../ui/notice.tsx";
import { Table, type TableColumn } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { CreateRole } from "./create.tsx";
import { rolesRequest } from "./reads.ts";
import { placesInWords } from "./role-draft.ts";
import styles from "./roles.module.css";

export default function RoleList() {
  const { data } = useSuspenseQuery(query("listRoles", rolesRequest));
  const { buildLocation } = useRouter();
  const { projectID } = useParams({ from: "/projects/$projectID" });
  const [isCreating, setCreating] = useState(false);
  const refusal = useRefusal()("manage_roles");
  useOfferActions(
    useMemo(
      () => (refusal === undefined ? [{ id: "create", label: "Create a role", shortcut: "c", run: () => setCreating(true) }] : []),
      [refusal],
    ),
  );
  return (
    <Page
      title="Roles"
      actions={
        <Button look="primary" onPress={() => setCreating(true)} disabledReason={refusal}>
          <Plus aria-hidden="true" />
          Create role
        </Button>
      }
    >
      <p className={styles.soft}>Roles set what people and keys can do in this project. Built-in roles can’t be changed.</p>
      <Table
        label="Roles"
        columns={COLUMNS}
        items={data.data}
        getID={({ name }) => name}
        href={({ name }) => buildLocation({ to: "/projects/$projectID/roles/$id", params: { projectID, id: name } }).href}
        empty={<Empty title="No roles" />}
      />
      {isCreating && <CreateRole roles={data.data} onClose={() => setCreating(false)} />}
    </Page>
  );
}

const COLUMNS: TableColumn<Schema<"Role">>[] = [
  {
    id: "name",
    name: "Name",
    width: "2fr",
    minWidth: 180,
    isRowHeader: true,
    cell: ({ name, isBuiltIn }) => (
      <>
        <bdi className={styles.name}>{name}</bdi>
        {isBuiltIn && <Badge>Built-in</Badge>}
      </>
    ),
  },
  {
    id: "permissions",
    name: "Permissions",
    width: "1fr",
    minWidth: 100,
    cell: ({ permissions }) => `${countPermissions(permissions)} of ${PERMISSION_WORDS.size}`,
  },
  {
    id: "publishesIn",
    name: "Publishes in",
    width: "1fr",
    minWidth: 140,
    cell: ({ publishesIn }) => <bdi>{placesInWords(publishesIn)}</bdi>,
  },
  {
    id: "changed",
    name: "Changed",
    width: 140,
    cell: ({ isBuiltIn, lastModifiedTime }) => (isBuiltIn ? "Never" : <Time time={lastModifiedTime} />),
  },
];
