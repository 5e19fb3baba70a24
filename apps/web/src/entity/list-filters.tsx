import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { query } from "../api.ts";
import { useTypedText } from "../shell/typed-text.ts";
import { Select } from "../ui/choice.tsx";
import { SearchField } from "../ui/field.tsx";
import styles from "./entity.module.css";
import type { ListSearch } from "./list-search.ts";
import { OwnerFilter } from "./owner-field.tsx";
import { TeamFilter } from "./team-field.tsx";

const ANY = "any";

/** Changes the search parameters of a list, and shows its first page. */
export function useListFilter(): (change: Partial<Record<string, unknown>>) => void {
  const navigate = useNavigate();
  return (change) =>
    void navigate({
      to: ".",
      search: ({ page: _, ...known }: Record<string, unknown>) => ({ ...known, ...change }) as never,
      replace: true,
    });
}

type Props = {
  /** Plural of the listed entities: gates. */
  noun: string;
  /** The states that can be chosen. */
  statuses?: Readonly<Record<string, string>>;
  /** Label of the list without a chosen status. */
  anyStatus?: string;
  hasTags?: boolean;
  hasTeams?: boolean;
  hasOwners?: boolean;
  children?: ReactNode;
};

/** Search, state, tag, team and owner of a list, in its address. */
export function ListFilters({
  noun,
  statuses,
  anyStatus = "Any status",
  hasTags = true,
  hasTeams = false,
  hasOwners = false,
  children,
}: Props) {
  const { search, status, tags, teamID, ownerID } = useSearch({ strict: false }) as ListSearch;
  const filter = useListFilter();
  const { data: known } = useQuery({ ...query("listTags", { query: { limit: 1000 } }), enabled: hasTags });
  const [text, setText] = useTypedText(search ?? "", (typed) => filter({ search: typed === "" ? undefined : typed }));
  return (
    <search className={styles.filters} aria-label="Filters">
      <SearchField label={`Search ${noun}`} placeholder="Search by name, ID, or description" value={text} onChange={setText} />
      {statuses !== undefined && (
        <Select
          label="Status"
          isLabelHidden
          options={[{ id: ANY, label: anyStatus }, ...Object.entries(statuses).map(([id, label]) => ({ id, label }))]}
          value={status ?? ANY}
          onChange={(id) => filter({ status: id === ANY ? undefined : id })}
        />
      )}
      {hasTags && (
        <Select
          label="Tag"
          isLabelHidden
          options={[{ id: ANY, label: "Any tag" }, ...(known?.data ?? []).map(({ name }) => ({ id: `=${name}`, label: name }))]}
          value={tags?.[0] === undefined ? ANY : `=${tags[0]}`}
          onChange={(id) => filter({ tags: id === ANY ? undefined : [id.slice(1)] })}
        />
      )}
      {hasTeams && <TeamFilter value={teamID} onChange={(id) => filter({ teamID: id })} />}
      {hasOwners && <OwnerFilter value={ownerID} onChange={(id) => filter({ ownerID: id })} />}
      {children}
    </search>
  );
}
