import { useQuery } from "@tanstack/react-query";
import { query } from "../../api.ts";
import { Select } from "../../ui/choice.tsx";

type Props = { name: string; onChange: (name: string) => void; isDisabled: boolean; error: string | undefined };

const LOGGED = { id: "logged", label: "Exposures that applications log" };
/** No name is the id of another option. */
const idOf = (name: string) => (name === "" ? LOGGED.id : `source ${name}`);
const nameOf = (id: string) => (id === LOGGED.id ? "" : id.slice("source ".length));

/** Where the units come from. Nothing as long as the project has no assignment source. */
export function AssignmentSourceChoice({ name, onChange, isDisabled, error }: Props) {
  const { data } = useQuery(query("listAssignmentSources", { query: { limit: 1000 } }));
  const names = [...new Set([...(name === "" ? [] : [name]), ...(data?.data ?? []).map((source) => source.name)])];
  if (names.length === 0) return null;
  return (
    <Select
      label="Units come from"
      options={[LOGGED, ...names.map((one) => ({ id: idOf(one), label: one }))]}
      value={idOf(name)}
      onChange={(id) => onChange(nameOf(id))}
      error={error}
      isDisabled={isDisabled}
    />
  );
}
