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
        description="Who uses it, and for what. Whoever rotates it later will be glad to know."
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
        Downloads rules, for SDKs that evaluate on the device. Whoever has the key can then read them.
      </Checkbox>
    );
  const access = has("omni_read_write") ? "omni_read_write" : "omni_read_only";
  return (
    <>
      <Select
        label="Access"
        options={[
          { id: "omni_read_only", label: "Reads the project" },
          { id: "omni_read_write", label: "Reads and changes the project" },
        ]}
        value={access}
        onChange={(id) => onChange({ scopes: [id as Scope, ...scopes.filter((one) => one === "can_access_keys")] })}
        isDisabled={isDisabled}
        error={faultAt("scopes")}
      />
      <Checkbox isSelected={has("can_access_keys")} onChange={(isSet) => set("can_access_keys", isSet)} isDisabled={isDisabled}>
        May also see keys, and manage them if it changes the project
      </Checkbox>
      <Select
        label="Role"
        description="The key may do what both its access and the role allow."
        options={[
          { id: NONE, label: "No role: its access alone decides" },
          ...(roles?.data ?? []).map(({ name }) => ({ id: `=${name}`, label: name })),
        ]}
        value={role === null ? NONE : `=${role}`}
        onChange={(id) => onChange({ role: id === NONE ? null : id.slice(1) })}
        isDisabled={isDisabled}
        error={faultAt("role")}
      />
    </>
  );
}

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
            ? "None chosen: it writes to all. Otherwise it still reads everything, and writes only what leaves other environments as they are."
            : "None chosen: rules of all environments count. Otherwise only rules of those chosen."}
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
        description={type === "CONSOLE" ? "It then writes only entities of this app." : "It then sees only what this app needs."}
        options={[
          { id: NONE, label: "No target app: everything" },
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
