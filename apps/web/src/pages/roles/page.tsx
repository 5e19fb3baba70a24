import { useSuspenseQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useMemo } from "react";
import { currentProjectID, invalidate, query } from "../../api.ts";
import { EntityPage } from "../../entity/entity-page.tsx";
import { EntitySteps } from "../../entity/entity-steps.tsx";
import { kinds } from "../../kinds/kinds.ts";
import { useRefusal } from "../../session/account.ts";
import { Badge } from "../../ui/badge.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Holders, LosesRole } from "./holders.tsx";
import { PermissionsTab } from "./permissions-tab.tsx";
import { describeDraft, roleModel, type StoredRole, toWriteRequests } from "./role-draft.ts";

const FROM = "/projects/$projectID/roles/$id";
const BUILT_IN = "Built-in roles can’t be changed. Create your own role from this one.";

export default function RolePage() {
  const { id } = useParams({ from: FROM });
  return <RoleView key={`${currentProjectID()} ${id}`} id={id} />;
}

function RoleView({ id }: { id: string }) {
  const { projectID } = useParams({ from: FROM });
  const { data: answer } = useSuspenseQuery(query("getRole", { path: { id } }));
  const stored = useMemo((): StoredRole => ({ entity: answer.data, etag: answer.etag ?? "" }), [answer]);
  const { entity: role } = stored;
  const navigate = useNavigate({ from: FROM });
  const lockedReason = role.isBuiltIn ? BUILT_IN : undefined;
  const refusal = useRefusal()("manage_roles") ?? lockedReason;
  return (
    <EntityPage
      noun="role"
      list={
        <Link to="/projects/$projectID/roles" params={{ projectID }}>
          Roles
        </Link>
      }
      stored={stored}
      model={roleModel}
      permission="manage_roles"
      lockedReason={lockedReason}
      notices={lockedReason !== undefined && <Notice>{lockedReason}</Notice>}
      beside={role.isBuiltIn && <Badge>Built-in</Badge>}
      write={toWriteRequests}
      inWords={describeDraft}
      also={<p>Applies within a second to everyone and every key with this role.</p>}
      reads={{ own: ["getRole"], others: ["listRoles", "getSession"] }}
      actions={({ count }) => (
        <EntitySteps
          name={role.name}
          hasDraft={count > 0}
          steps={[
            {
              id: "delete",
              label: "Delete",
              request: { operationId: "deleteRole", path: { id }, ifMatch: stored.etag },
              about: <LosesRole role={role.name} />,
              canForce: true,
              done: "is deleted",
              disabledReason: refusal,
              isDangerous: true,
            },
          ]}
          onConflict={() => void invalidate("getRole")}
          onDone={async () => {
            await navigate({ to: "/projects/$projectID/roles" });
            await invalidate("listRoles", "listUsers", "listChanges");
          }}
        />
      )}
      tabs={kinds.role.tabs}
      content={(tab, shared) => (tab === "permissions" ? <PermissionsTab {...shared} /> : <Holders role={role.name} />)}
    />
  );
}
