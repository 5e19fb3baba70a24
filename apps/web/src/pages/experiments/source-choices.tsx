import { useQuery } from "@tanstack/react-query";
import { query } from "../../api.ts";
import { Select } from "../../ui/choice.tsx";

type Props = { name: string; onChange: (name: string) => void; isDisabled: boolean; error: string | undefined };

/** No name is the id of the option without one. */
const NONE = "none";
const toID = (name: string) => (name === "" ? NONE : `source ${name}`);
const toName = (id: string) => (id === NONE ? "" : id.slice("source ".length));

type Choice = Props & {
  label: string;
  /** Label of the choice without a source. */
  none: string;
  /** The sources of the project. */
  sources: readonly { name: string }[] | undefined;
};

/** Renders no field as long as the project has no source. */
function SourceChoice({ name, onChange, sources = [], none, ...select }: Choice) {
  const names = [...new Set([...(name === "" ? [] : [name]), ...sources.map((source) => source.name)])];
  if (names.length === 0) return null;
  return (
    <Select
      {...select}
      options={[{ id: NONE, label: none }, ...names.map((one) => ({ id: toID(one), label: one }))]}
      value={toID(name)}
      onChange={(id) => onChange(toName(id))}
    />
  );
}

/** The source of the units. */
export function AssignmentSourceChoice(props: Props) {
  const { data } = useQuery(query("listAssignmentSources", { query: { limit: 1000 } }));
  return <SourceChoice {...props} label="Assignments from" none="Exposures logged by applications" sources={data?.data} />;
}

/** The event that qualifies units. */
export function QualifyingEventChoice(props: Props) {
  const { data } = useQuery(query("listQualifyingEvents", { query: { limit: 1000 } }));
  return <SourceChoice {...props} label="Units count" none="From their first exposure" sources={data?.data} />;
}
