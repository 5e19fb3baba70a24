import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { call, invalidate, type Schema } from "../../api.ts";
import { violationsByPlace } from "../../explain.ts";
import { useProject } from "../../session/account.ts";
import type { PermissionName, Permissions } from "../../session/permissions.ts";
import { FormDialog } from "../../shell/form-dialog.tsx";
import { Select } from "../../ui/choice.tsx";
import { TextField } from "../../ui/field.tsx";
import { publishableIn } from "./role-draft.ts";

export function CreateRole({ roles, onClose }: { roles: readonly Schema<"Role">[]; onClose: () => void }) {
  const [name, setName] = useState("");
  const [source, setSource] = useState("Viewer");
  const [error, setError] = useState<unknown>();
  const [isPending, setPending] = useState(false);
  const { permissions: mine, publishesIn } = useProject();
  const navigate = useNavigate();
  const faults = violationsByPlace(error);
  const copied = roles.find((role) => role.name === source);
  const send = async () => {
    setPending(true);
    setError(undefined);
    try {
      const places = publishableIn(copied?.publishesIn ?? null, publishesIn);
      const body = { name: name.trim(), permissions: held(copied?.permissions ?? {}, mine), publishesIn: places && [...places] };
      const { data } = await call("createRole", { body });
      await invalidate("listRoles", "listChanges");
      onClose();
      await navigate({
        to: "/projects/$projectID/roles/$id",
        from: "/projects/$projectID/roles",
        params: (params) => ({ ...params, id: data.name }),
      });
    } catch (thrown) {
      setError(thrown);
    } finally {
      setPending(false);
    }
  };
  return (
    <FormDialog title="Create a role" label="Create" isPending={isPending} error={error} onSubmit={send} onClose={onClose}>
      <TextField
        label="Name"
        name="name"
        autoFocus
        isRequired
        value={name}
        onChange={setName}
        description="Letters, digits, spaces, hyphens, and underscores. Can’t be changed later."
        error={faults.get("name")}
      />
      <Select
        label="Copy permissions from"
        options={roles.map((role) => ({ id: role.name, label: role.name }))}
        value={source}
        onChange={setSource}
        description="You can edit permissions on the next page. Permissions and environments that you don’t have aren’t copied."
      />
    </FormDialog>
  );
}

/** People cannot grant a permission that they lack. */
const held = (wanted: Permissions, mine: Permissions): Permissions =>
  Object.fromEntries((Object.keys(wanted) as PermissionName[]).map((name) => [name, wanted[name] === true && mine[name] === true]));
