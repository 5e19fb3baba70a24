import { useState } from "react";
import { call, type Schema } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { hasPasskeys } from "../../session/passkeys.ts";
import { Section } from "../../shell/page.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Time } from "../../ui/time.tsx";

type Passkey = Schema<"Passkey">;
type Props = {
  factors: Schema<"SecondFactors">;
  onCreate: () => void;
  /** Sends a change after the person has confirmed that it is them. */
  onChange: (done: string, work: () => Promise<unknown>) => void;
  run: (action: () => void) => void;
};

/** The person's passkeys. Each one signs in without a password. */
export function Passkeys({ factors: { passkeys, canUsePasskeys }, onCreate, onChange, run }: Props) {
  const [renamed, setRenamed] = useState<Passkey>();
  const reason = !canUsePasskeys
    ? "Passkeys aren’t set up. Ask the operator to set GATEHOUSE_PUBLIC_URL to an https URL with a host name."
    : hasPasskeys()
      ? undefined
      : "This browser doesn't support passkeys.";
  const remove = ({ id }: Passkey) => onChange("Passkey removed", () => call("deletePasskey", { path: { id } }));
  return (
    <Section
      title="Passkeys"
      description="Sign in with your fingerprint, your face, your device's PIN or a security key, without a password."
      actions={
        <Button onPress={onCreate} disabledReason={reason}>
          Create a passkey
        </Button>
      }
    >
      {passkeys.length === 0 ? (
        <p className={entity.soft}>No passkeys yet.</p>
      ) : (
        <div className={entity.scroll}>
          <table className={entity.table} aria-label="Passkeys">
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Created</th>
                <th scope="col">Last used</th>
                <th scope="col">Actions</th>
              </tr>
            </thead>
            <tbody>
              {passkeys.map((passkey) => (
                <tr key={passkey.id}>
                  <th scope="row">
                    <bdi>{passkey.name}</bdi>
                  </th>
                  <td>
                    <Time time={passkey.createdTime} />
                  </td>
                  <td>{passkey.lastUsedTime === null ? "Never" : <Time time={passkey.lastUsedTime} />}</td>
                  <td>
                    <Button look="quiet" aria-label={`Rename ${passkey.name}`} onPress={() => run(() => setRenamed(passkey))}>
                      Rename
                    </Button>
                    <Button look="quiet" aria-label={`Remove ${passkey.name}`} onPress={() => remove(passkey)}>
                      Remove
                    </Button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {renamed && (
        <RenameDialog
          passkey={renamed}
          onClose={() => setRenamed(undefined)}
          onRename={(name) => {
            setRenamed(undefined);
            onChange("Passkey renamed", () => call("patchPasskey", { path: { id: renamed.id }, body: { name } }));
          }}
        />
      )}
    </Section>
  );
}

function RenameDialog({ passkey, onRename, onClose }: { passkey: Passkey; onRename: (name: string) => void; onClose: () => void }) {
  const [name, setName] = useState(passkey.name);
  return (
    <Dialog
      title="Rename passkey"
      isOpen
      onClose={onClose}
      actions={
        <Button look="primary" onPress={() => onRename(name)} disabledReason={name.trim() === "" ? "Enter a name." : undefined}>
          Rename
        </Button>
      }
    >
      <TextField label="Name" value={name} onChange={setName} maxLength={100} autoFocus />
    </Dialog>
  );
}
