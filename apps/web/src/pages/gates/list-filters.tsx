import { useSearch } from "@tanstack/react-router";
import { ListFilters, useListFilter } from "../../entity/list-filters.tsx";
import { useEnvironmentNames } from "../../shell/environments.ts";
import { Select } from "../../ui/choice.tsx";
import { STATUS_NAMES } from "./gate-state.ts";
import { TYPES } from "./list-search.ts";

const ANY = "any";

const TYPE_NAMES = { PERMANENT: "Permanent", TEMPORARY: "Temporary", STALE: "Stale" } as const;

const STATES = ["onIn", "offIn"] as const;

const toOption = (state: (typeof STATES)[number], environment: string) => ({
  id: `${state}=${environment}`,
  label: `${state === "onIn" ? "On" : "Off"} in ${environment}`,
});

/** The search parameter of an option. */
const stateOf = (id: string) => Object.fromEntries([[id.slice(0, id.indexOf("=")), id.slice(id.indexOf("=") + 1)]]);

export function GateFilters() {
  const { type, onIn, offIn } = useSearch({ from: "/projects/$projectID/gates" });
  const filter = useListFilter();
  const environments = useEnvironmentNames();
  return (
    <ListFilters noun="gates" statuses={STATUS_NAMES} hasTeams hasOwners>
      <Select
        label="Type"
        isLabelHidden
        options={[{ id: ANY, label: "Any type" }, ...TYPES.map((id) => ({ id, label: TYPE_NAMES[id] }))]}
        value={type ?? ANY}
        onChange={(id) => filter({ type: id === ANY ? undefined : id })}
      />
      <Select
        label="State in an environment"
        isLabelHidden
        options={[{ id: ANY, label: "On or off" }, ...environments.flatMap((name) => STATES.map((state) => toOption(state, name)))]}
        value={onIn !== undefined ? `onIn=${onIn}` : offIn !== undefined ? `offIn=${offIn}` : ANY}
        onChange={(id) => filter({ onIn: undefined, offIn: undefined, ...(id !== ANY && stateOf(id)) })}
      />
    </ListFilters>
  );
}
