import { Select } from "../ui/choice.tsx";
import { usePipelines } from "./use-pipelines.ts";

const NONE = "none";
type Props = {
  value: string | null;
  onChange: (fields: { releasePipelineID: string | null }) => void;
  /** Why it can't be changed; undefined if it can. */
  disabledReason: string | undefined;
  error: string | undefined;
};

/** The release pipeline that changes of an entity go through. */
export function PipelineField({ value, onChange, disabledReason, error }: Props) {
  const pipelines = usePipelines();
  const isKnown = value === null || pipelines.some(({ id }) => id === value);
  return (
    <Select
      label="Release pipeline"
      options={[
        { id: NONE, label: "None (changes reach everyone at once)" },
        ...pipelines.map(({ id, name }) => ({ id: `=${id}`, label: name })),
        // It may be deleted.
        ...(isKnown ? [] : [{ id: `=${value}`, label: value ?? "" }]),
      ]}
      value={value === null ? NONE : `=${value}`}
      onChange={(id) => onChange({ releasePipelineID: id === NONE ? null : id.slice(1) })}
      description={disabledReason ?? "Changes to what users get are released in the phases of this pipeline."}
      error={error}
      isDisabled={disabledReason !== undefined}
    />
  );
}
