import { useState } from "react";
import { call, invalidate } from "../../api.ts";
import { Secret } from "../../entity/secret.tsx";
import { violationsByPlace } from "../../explain.ts";
import { FormDialog } from "../../shell/form-dialog.tsx";
import { Select } from "../../ui/choice.tsx";
import type { KeyFields } from "./key-draft.ts";
import { KeyForm } from "./key-form.tsx";
import { describeLimits, describePower, type Key, TYPE_NAMES, TYPE_USES } from "./key-words.ts";

const TYPES = ["SERVER", "CLIENT", "CONSOLE"] as const;

const begin = (type: Key["type"]): KeyFields => ({
  description: "",
  scopes: type === "CONSOLE" ? ["omni_read_only"] : [],
  role: null,
  environments: [],
  targetAppID: null,
  secondaryTargetAppIDs: [],
  allowedAddresses: [],
  expiresTime: null,
});

/** Creates a key, and shows it this once. */
export function CreateKey({ onClose }: { onClose: () => void }) {
  const [type, setType] = useState<Key["type"]>("SERVER");
  const [fields, setFields] = useState(() => begin("SERVER"));
  const [error, setError] = useState<unknown>();
  const [isPending, setPending] = useState(false);
  const [made, setMade] = useState<Key>();
  const faults = violationsByPlace(error);
  const send = async () => {
    setPending(true);
    setError(undefined);
    const { scopes, role, ...others } = fields;
    try {
      const { data } = await call("createKey", {
        body: { type, ...others, ...(type !== "SERVER" && { scopes }), ...(type === "CONSOLE" && { role }) },
      });
      setMade(data);
      await invalidate("listKeys", "listChanges");
    } catch (thrown) {
      setError(thrown);
    } finally {
      setPending(false);
    }
  };
  if (made)
    return (
      <Secret title={`${TYPE_NAMES[made.type]} key created`} secret={made.key ?? ""} onClose={onClose}>
        {`${describePower(made)}. ${describeLimits(made)}.`}
      </Secret>
    );
  return (
    <FormDialog title="Create a key" label="Create" isPending={isPending} error={error} onSubmit={send} onClose={onClose}>
      <Select
        label="Type"
        options={TYPES.map((id) => ({ id, label: TYPE_NAMES[id] }))}
        value={type}
        onChange={(id) => {
          const chosen = TYPES.find((one) => one === id) ?? "SERVER";
          setType(chosen);
          setFields({ ...fields, scopes: begin(chosen).scopes, role: null });
        }}
        description={TYPE_USES[type]}
        error={faults.get("type")}
      />
      <KeyForm
        type={type}
        fields={fields}
        onChange={(changed) => setFields({ ...fields, ...changed })}
        faultAt={(name) => faults.get(name)}
      />
    </FormDialog>
  );
}
