import { useQuery } from "@tanstack/react-query";
import { query } from "../../api.ts";
import { ComboBox } from "../../ui/choice.tsx";
import { Notice } from "../../ui/notice.tsx";
import type { ParameterDraft } from "./param-store-draft.ts";
import { missingParameter, ofConfig, ofExperiment, ofLayer } from "./source-parameters.ts";

type Props = {
  parameter: ParameterDraft;
  onChange: (field: string) => void;
  error: string | undefined;
  isDisabled: boolean;
};

/** The parameter that is read: one of the source's, or one that it will have later. */
export function SourceParameter({ parameter: { source, entity, field }, onChange, error, isDisabled }: Props) {
  const found = useSource(source, entity);
  const missing = missingParameter(found, field);
  return (
    <>
      <ComboBox
        label="Parameter"
        options={(found?.parameters ?? []).map((name) => ({ id: name, label: name }))}
        value={field}
        onChange={onChange}
        allowsOther
        error={error}
        isDisabled={isDisabled}
      />
      {missing !== undefined && (
        <Notice tone="warn">
          <bdi>{missing}</bdi>
        </Notice>
      )}
    </>
  );
}

/** The name and the parameters of a source. Undefined as long as they aren't known. */
function useSource(source: ParameterDraft["source"], id: string): { name: string; parameters: string[] } | undefined {
  const reads = (type: typeof source) => ({ enabled: source === type && id !== "" });
  const experiment = useQuery({ ...query("getExperiment", { path: { id } }), ...reads("experiment") }).data?.data;
  const config = useQuery({ ...query("getDynamicConfig", { path: { id } }), ...reads("dynamic_config") }).data?.data;
  const layer = useQuery({ ...query("getLayer", { path: { id } }), ...reads("layer") }).data?.data;
  if (source === "experiment" && experiment) return { name: experiment.name, parameters: ofExperiment(experiment) };
  if (source === "dynamic_config" && config) return { name: config.name, parameters: ofConfig(config) };
  return source === "layer" && layer ? { name: layer.name, parameters: ofLayer(layer) } : undefined;
}
