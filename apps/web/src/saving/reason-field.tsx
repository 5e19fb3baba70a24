import { TextField } from "../ui/field.tsx";

const MAX_LENGTH = 1_000;

/** Why a change is made, in the words of its author. */
export function ReasonField(props: { value: string; onChange: (value: string) => void }) {
  return (
    <TextField {...props} label="Reason (optional)" description="Shown in the history and the audit log." maxLength={MAX_LENGTH} rows={2} />
  );
}
