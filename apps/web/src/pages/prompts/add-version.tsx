import { useState } from "react";
import { call, invalidate, ReviewRequiredError } from "../../api.ts";
import { violationsByPlace } from "../../explain.ts";
import { FormDialog } from "../../shell/form-dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { useUnreadReason } from "../../ui/unread.ts";
import { toBody, toDraft, type Version, type VersionDraft } from "./version-draft.ts";
import { VersionFields } from "./version-fields.tsx";

type Props = {
  promptID: string;
  etag: string;
  /** The version to start from. */
  from: Version | undefined;
  /** Edits of it. Without them, its own text. */
  edited?: VersionDraft;
  /** Gets the id of the new version. */
  onAdded?: (id: string) => void;
  onClose: () => void;
};

/** Adds a version to a prompt. A version never changes, so the dialog begins with the text of an existing one. */
export function AddVersion({ promptID, etag, from, edited, onAdded, onClose }: Props) {
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const [draft, setDraft] = useState(edited ?? toDraft(from));
  const [error, setError] = useState<unknown>();
  const [isPending, setPending] = useState(false);
  const unread = useUnreadReason();
  const faults = violationsByPlace(error);
  const send = async () => {
    setPending(true);
    setError(undefined);
    try {
      const body = { ...toBody(draft, from), name: name.trim(), description };
      const { data } = await call("createPromptVersion", { path: { id: promptID }, body, ifMatch: etag });
      await invalidate("getPrompt", "listPrompts", "listPromptVersions", "listChanges");
      onAdded?.(data.id);
      onClose();
    } catch (thrown) {
      // The review has what was typed.
      if (thrown instanceof ReviewRequiredError) return onClose();
      setError(thrown);
      setPending(false);
    }
  };
  return (
    <FormDialog
      title="Add a version"
      label="Add version"
      width="wide"
      isPending={isPending}
      disabledReason={unread}
      error={error}
      onSubmit={send}
      onClose={onClose}
    >
      <TextField label="Name" autoFocus isRequired value={name} onChange={setName} error={faults.get("name")} />
      <TextField label="Description" value={description} onChange={setDescription} error={faults.get("description")} />
      <VersionFields draft={draft} onChange={setDraft} faults={faults} />
    </FormDialog>
  );
}
