import { previewID } from "../../entity/entity-id.ts";
import { OwnerField } from "../../entity/owner-field.tsx";
import { TeamField } from "../../entity/team-field.tsx";
import { toTeamFields } from "../../targeting/team-fields.ts";
import { TextField } from "../../ui/field.tsx";
import type { Copy } from "./use-copy.ts";

/** The name of the copy of an experiment, and who owns it. */
export default function CopyFields({ copy, onChange }: { copy: Copy; onChange: (copy: Copy) => void }) {
  const set = (changed: Partial<Copy>) => onChange({ ...copy, ...changed });
  const derived = previewID("experiment", copy.name);
  const setID = (id: string) => {
    const { id: _, ...others } = copy;
    onChange(id === "" ? others : { ...others, id });
  };
  return (
    <>
      <TextField label="Name of the new experiment" value={copy.name} onChange={(name) => set({ name })} />
      <TextField
        label="ID of the new experiment"
        isCode
        value={copy.id ?? ""}
        placeholder={typeof derived === "string" ? derived : ""}
        onChange={setID}
        description="Letters from a to z, digits, underscores, and hyphens. By default, it’s created from the name."
      />
      <TeamField value={toTeamFields(copy)} onChange={set} />
      <OwnerField value={copy.owner ?? null} onChange={set} />
      <p>Creates an experiment in setup with the same groups and targeting. This one isn’t changed.</p>
    </>
  );
}
