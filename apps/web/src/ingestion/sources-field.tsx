import { useQuery } from "@tanstack/react-query";
import { query } from "../api.ts";
import entity from "../entity/entity.module.css";
import { Chip } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { ComboBox } from "../ui/choice.tsx";
import { MOST_SOURCES } from "./backfill-request.ts";
import type { Dataset } from "./ingestion-words.ts";

type Props = { dataset: Dataset; sources: readonly string[]; onChange: (sources: string[]) => void; error: string | undefined };

/** The sources of a dataset that are copied. None means every enabled one. */
export function SourcesField({ dataset, sources, onChange, error }: Props) {
  const { data: known } = useQuery(query("listIngestionSources", { query: { limit: 1000, sort: "name" } }));
  const options = (known?.data ?? []).filter(({ id, data }) => data.dataset === dataset && !sources.includes(id));
  return (
    <>
      {sources.length > 0 && (
        <div className={entity.row}>
          {sources.map((name) => (
            <span key={name}>
              <Chip>{name}</Chip>
              <Button look="quiet" aria-label={`Remove source ${name}`} onPress={() => onChange(sources.filter((one) => one !== name))}>
                ×
              </Button>
            </span>
          ))}
        </div>
      )}
      <ComboBox
        label="Only these sources"
        key={sources.join()}
        options={options.map(({ id, enabled }) => ({ id, label: id, ...(!enabled && { hint: "Not copied daily" }) }))}
        value={null}
        onChange={(name) => onChange([...sources, name])}
        placeholder="Search sources"
        description="Leave empty for all sources of the dataset that are copied daily."
        isDisabled={sources.length >= MOST_SOURCES}
        error={error}
      />
    </>
  );
}
