import { useSearch } from "@tanstack/react-router";
import { ListFilters, useListFilter } from "../../entity/list-filters.tsx";
import { Select } from "../../ui/choice.tsx";
import { STATUS_NAMES } from "./gate-state.ts";
import { TYPES } from "./list-search.ts";

const ANY = "any";

const TYPE_NAMES = { PERMANENT: "Permanent", TEMPORARY: "Temporary", STALE: "Stale" } as const;

export function GateFilters() {
  const { type } = useSearch({ from: "/projects/$projectID/gates" });
  const filter = useListFilter();
  return (
    <ListFilters noun="gates" statuses={STATUS_NAMES} hasTeams hasOwners>
      <Select
        label="Type"
        isLabelHidden
        options={[{ id: ANY, label: "Any type" }, ...TYPES.map((id) => ({ id, label: TYPE_NAMES[id] }))]}
        value={type ?? ANY}
        onChange={(id) => filter({ type: id === ANY ? undefined : id })}
      />
    </ListFilters>
  );
}
