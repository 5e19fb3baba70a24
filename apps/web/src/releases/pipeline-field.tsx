import { useQuery } from "@tanstack/react-query";
import { query } from "../api.ts";
import type { KnownNames } from "../targeting/field-words.ts";
import { Select } from "../ui/choice.tsx";

const NONE = "none";
const MAX_LISTED = 1_000;

/** The release pipelines of the project. */
function usePipelines() {
  const { data } = useQuery(query("listReleasePipelines", { query: { limit: MAX_LISTED, sort: "name" } }));
  return data?.data ?? [];
}

/** The names of release pipelines by their ids, for words about changes. */
export const usePipelineNames = (): KnownNames => Object.fromEntries(usePipelines().map(({ id, name }) => [id, name]));

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
        { id: NONE, label: "None: changes reach everyone at once" },
        ...pipelines.map(({ id, name }) => ({ id: `=${id}`, label: name })),
        // It may be deleted.
        ...(isKnown ? [] : [{ id: `=${value}`, label: value ?? "" }]),
      ]}
      value={value === null ? NONE : `=${value}`}
      onChange={(id) => onChange({ releasePipelineID: id === NONE ? null : id.slice(1) })}
      description={disabledReason ?? "Changes to what users get are released in its phases."}
      error={error}
      isDisabled={disabledReason !== undefined}
    />
  );
}
