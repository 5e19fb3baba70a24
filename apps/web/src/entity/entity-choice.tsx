import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { query } from "../api.ts";
import { nameInMetricID } from "../targeting/metric-id.ts";
import { metricTypeLabel } from "../targeting/metric-types.ts";
import { ComboBox, type Option } from "../ui/choice.tsx";

const MAX_FOUND = 50;
/** The longest text that lists can be searched for. */
const MAX_SEARCH = 100;

type Found = readonly { id: string; name: string }[];

type Props = {
  label: string;
  isLabelHidden?: boolean;
  value: string | null;
  onChange: (id: string) => void;
  /** As in `ComboBox`. Left out where one must be chosen, and where each choice is added to a list. */
  onClear?: () => void;
  placeholder: string;
  error?: string | undefined;
  isDisabled?: boolean;
};

/** The options of a search, with the chosen one among them even if the search does not find it. */
function toOptions(found: Found, value: string | null): Option[] {
  const options = found.map(({ id, name }) => ({ id, label: name, ...(name !== id && { hint: id }) }));
  return value === null || found.some(({ id }) => id === value) ? options : [{ id: value, label: value }, ...options];
}

/** The search text, once more urgent updates are shown. */
export function useEntitySearch() {
  const [text, setText] = useState("");
  const search = useDeferredValue([...text.trim()].slice(0, MAX_SEARCH).join("").trim());
  return { onSearch: setText, given: { query: { limit: MAX_FOUND, ...(search !== "" && { search }) } } };
}

/** One gate of the project, chosen by a search. */
export function GateChoice({ value, ...field }: Props) {
  const { onSearch, given } = useEntitySearch();
  const { data } = useQuery({ ...query("listGates", given), placeholderData: (known) => known });
  return <ComboBox {...field} options={toOptions(data?.data ?? [], value)} value={value} onSearch={onSearch} />;
}

/** One segment of the project, chosen by a search. */
export function SegmentChoice({ value, ...field }: Props) {
  const { onSearch, given } = useEntitySearch();
  const { data } = useQuery({ ...query("listSegments", given), placeholderData: (known) => known });
  return <ComboBox {...field} options={toOptions(data?.data ?? [], value)} value={value} onSearch={onSearch} />;
}

/** One dynamic config of the project, chosen by a search. */
export function DynamicConfigChoice({ value, ...field }: Props) {
  const { onSearch, given } = useEntitySearch();
  const { data } = useQuery({ ...query("listDynamicConfigs", given), placeholderData: (known) => known });
  return <ComboBox {...field} options={toOptions(data?.data ?? [], value)} value={value} onSearch={onSearch} />;
}

/** One layer of the project, chosen by a search. */
export function LayerChoice({ value, ...field }: Props) {
  const { onSearch, given } = useEntitySearch();
  const { data } = useQuery({ ...query("listLayers", given), placeholderData: (known) => known });
  return <ComboBox {...field} options={toOptions(data?.data ?? [], value)} value={value} onSearch={onSearch} />;
}

/** One experiment of the project, chosen by a search. */
export function ExperimentChoice({ value, ...field }: Props) {
  const { onSearch, given } = useEntitySearch();
  const { data } = useQuery({ ...query("listExperiments", given), placeholderData: (known) => known });
  return <ComboBox {...field} options={toOptions(data?.data ?? [], value)} value={value} onSearch={onSearch} />;
}

/** One prompt dataset of the project, chosen by a search. */
export function PromptDatasetChoice({ value, ...field }: Props) {
  const { onSearch, given } = useEntitySearch();
  const { data } = useQuery({ ...query("listPromptDatasets", given), placeholderData: (known) => known });
  return <ComboBox {...field} options={toOptions(data?.data ?? [], value)} value={value} onSearch={onSearch} />;
}

/** One alert of the project, chosen by a search. */
export function AlertChoice({ value, ...field }: Props) {
  const { onSearch, given } = useEntitySearch();
  const { data } = useQuery({ ...query("listAlerts", given), placeholderData: (known) => known });
  const found = (data?.data ?? []).map(({ id, name = id }) => ({ id, name }));
  return <ComboBox {...field} options={toOptions(found, value)} value={value} onSearch={onSearch} />;
}

/** One metric of the project, automatic ones included, chosen by a search. @param without types that can't be chosen */
export function MetricChoice({ value, without = [], ...field }: Props & { without?: readonly string[] }) {
  const { onSearch, given } = useEntitySearch();
  const { data } = useQuery({ ...query("listMetrics", given), placeholderData: (known) => known });
  const automatic = useQuery({
    ...query("listMetrics", { query: { ...given.query, automatic: true } }),
    placeholderData: (known) => known,
  });
  const found = [...(data?.data ?? []), ...(automatic.data?.data ?? [])].filter(({ type }) => !without.includes(type));
  const options = found.map(({ id, name, type }) => ({ id, label: name, hint: metricTypeLabel(type) }));
  const all = value === null || found.some(({ id }) => id === value) ? options : [{ id: value, label: nameInMetricID(value) }, ...options];
  return <ComboBox {...field} options={all} value={value} onSearch={onSearch} />;
}
