import { useQuery } from "@tanstack/react-query";
import { query } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { useEnvironments } from "../../shell/environments.ts";
import { Select } from "../../ui/choice.tsx";
import { Checkbox, TextField } from "../../ui/field.tsx";
import { AddressesField } from "./addresses-field.tsx";
import { ExpiryField } from "./expiry-field.tsx";
import type { KeyFields } from "./key-draft.ts";
import type { Key } from "./key-words.ts";
import styles from "./keys.module.css";

const NONE = "none";
const MAX_CHOICES = 1_000;

type Props = {
  type: Key["type"];
  fields: KeyFields;
  onChange: (changed: Partial<KeyFields>) => void;
  isDisabled?: boolean;
  faultAt: (name: string) => string | undefined;
};

/** The settings of a key. */
export function KeyForm({ type, fields, onChange, isDisabled = false, faultAt }: Props) {
  const shared = { type, fields, onChange, isDisabled, faultAt };
  return (
    <>
      <TextField
        label="Description"
        description="Say which application uses the key, so others can rotate it safely."
        value={fields.description}
        onChange={(description) => onChange({ description })}
        isDisabled={isDisabled}
        isRequired
        error={faultAt("description")}
      />
      <Power {...shared} />
      <Limits {...shared} />
      <AddressesField
        value={fields.allowedAddresses}
        onChange={(allowedAddresses) => onChange({ allowedAddresses })}
        isDisabled={isDisabled}
        faultAt={faultAt}
      />
      <ExpiryField
        value={fields.expiresTime}
        onChange={(expiresTime) => onChange({ expiresTime })}
        isDisabled={isDisabled}
        error={faultAt("expiresTime")}
      />
    </>
  );
}

type Scope = KeyFields["scopes"][number];

/** The key's permissions beyond its type. */
function Power({ type, fields: { scopes, role }, onChange, isDisabled = false, faultAt }: Props) {
  const { data: roles } = useQuery({ ...query("listRoles", { query: { limit: MAX_CHOICES } }), enabled: type === "CONSOLE" });
  const has = (scope: Scope) => scopes.includes(scope);
  const set = (scope: Scope, isSet: boolean) => onChange({ scopes: [...scopes.filter((one) => one !== scope), ...(isSet ? [scope] : [])] });
  if (type === "SERVER") return null;
  if (type === "CLIENT")
    return (
      <Checkbox
        isSelected={has("client_download_config_specs")}
        onChange={(isSet) => set("client_download_config_specs", isSet)}
        isDisabled={isDisabled}
      >
        Let SDKs download rules to evaluate on the device. Anyone with the key can read the rules.
      </Checkbox>
    );
  const access = has("omni_read_write") ? "omni_read_write" : "omni_read_only";
  return (
    <>
      <Select
        label="Access"
        options={[
          { id: "omni_read_only", label: "Read the project" },
          { id: "omni_read_write", label: "Read and change the project" },
        ]}
        value={access}
        onChange={(id) => onChange({ scopes: [id as Scope, ...scopes.filter((one) => staysWith(id, one))] })}
        isDisabled={isDisabled}
        error={faultAt("scopes")}
      />
      <Checkbox isSelected={has("can_access_keys")} onChange={(isSet) => set("can_access_keys", isSet)} isDisabled={isDisabled}>
        Also list keys, and manage them if the key can change the project
      </Checkbox>
      {access === "omni_read_write" && (
        <>
          <Checkbox isSelected={has("bypass_reviews")} onChange={(isSet) => set("bypass_reviews", isSet)} isDisabled={isDisabled}>
            Make changes without reviews, even where people need one
          </Checkbox>
          <Checkbox isSelected={has("mcp_write")} onChange={(isSet) => set("mcp_write", isSet)} isDisabled={isDisabled}>
            Let AI agents make changes over MCP. Otherwise they can only preview changes and request reviews.
          </Checkbox>
        </>
      )}
      <Select
        label="Role"
        description="Limits the key to the permissions of this role."
        options={[{ id: NONE, label: "No role" }, ...(roles?.data ?? []).map(({ name }) => ({ id: `=${name}`, label: name }))]}
        value={role === null ? NONE : `=${role}`}
        onChange={(id) => onChange({ role: id === NONE ? null : id.slice(1) })}
        isDisabled={isDisabled}
        error={faultAt("role")}
      />
    </>
  );
}

/** Whether a console key keeps a scope when its access changes. */
const staysWith = (access: string, scope: Scope): boolean =>
  scope === "can_access_keys" || (["bypass_reviews", "mcp_write"].includes(scope) && access === "omni_read_write");

/** The environments and target apps that the key is limited to. */
function Limits({ type, fields, onChange, isDisabled = false, faultAt }: Props) {
  const environments = useEnvironments();
  const { data: apps } = useQuery(query("listTargetApps", { query: { limit: MAX_CHOICES } }));
  const fault = faultAt("environments");
  return (
    <>
      <fieldset className={styles.choices}>
        <legend>Environments</legend>
        <p className={entity.soft}>
          {type === "CONSOLE"
            ? "Leave empty for all environments. Otherwise the key reads everything, but can change only these environments."
            : "Leave empty for all environments. Otherwise only rules of these environments apply."}
        </p>
        {environments.map(({ name }) => (
          <Checkbox
            key={name}
            isSelected={fields.environments.includes(name)}
            onChange={(isSet) =>
              onChange({ environments: isSet ? [...fields.environments, name] : fields.environments.filter((one) => one !== name) })
            }
            isDisabled={isDisabled}
          >
            <bdi>{name}</bdi>
          </Checkbox>
        ))}
        {fault !== undefined && (
          <p role="alert" className={styles.fault}>
            {fault}
          </p>
        )}
      </fieldset>
      <Select
        label="Target app"
        description={type === "CONSOLE" ? "The key can change only entities of this app." : "The key reads only what this app needs."}
        options={[
          { id: NONE, label: "No target app (everything)" },
          ...(apps?.data ?? []).map(({ name }) => ({ id: `=${name}`, label: name })),
        ]}
        value={fields.targetAppID === null ? NONE : `=${fields.targetAppID}`}
        onChange={(id) => onChange({ targetAppID: id === NONE ? null : id.slice(1) })}
        isDisabled={isDisabled}
        error={faultAt("targetAppID")}
      />
    </>
  );
}
