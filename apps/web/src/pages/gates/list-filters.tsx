import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { query } from "../../api.ts";
import { TeamFilter } from "../../entity/team-field.tsx";
import { useTypedText } from "../../shell/typed-text.ts";
import { Select } from "../../ui/choice.tsx";
import { SearchField } from "../../ui/field.tsx";
import { STATUS_NAMES } from "./gate-state.ts";
import styles from "./list.module.css";
import { STATUSES, TYPES } from "./list-search.ts";

const FROM = "/projects/$projectID/gates";
const ANY = "any";

const TYPE_NAMES = { PERMANENT: "Permanent", TEMPORARY: "Temporary", STALE: "Stale" } as const;

export function GateFilters() {
  const { search, status, type, tags, teamID } = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const { data: known } = useQuery(query("listTags", { query: { limit: 1000 } }));
  const choose = (change: object) => void navigate({ search: ({ page: _, ...others }) => ({ ...others, ...change }), replace: true });
  const [text, setText] = useTypedText(search ?? "", (typed) => choose({ search: typed === "" ? undefined : typed }));
  return (
    <search className={styles.filters} aria-label="Filters">
      <SearchField label="Search gates" placeholder="Search by name, ID or description" value={text} onChange={setText} />
      <Select
        label="Status"
        isLabelHidden
        options={[{ id: ANY, label: "Any status" }, ...STATUSES.map((id) => ({ id, label: STATUS_NAMES[id] }))]}
        value={status ?? ANY}
        onChange={(id) => choose({ status: id === ANY ? undefined : id })}
      />
      <Select
        label="Type"
        isLabelHidden
        options={[{ id: ANY, label: "Any type" }, ...TYPES.map((id) => ({ id, label: TYPE_NAMES[id] }))]}
        value={type ?? ANY}
        onChange={(id) => choose({ type: id === ANY ? undefined : id })}
      />
      <Select
        label="Tag"
        isLabelHidden
        options={[{ id: ANY, label: "Any tag" }, ...(known?.data ?? []).map(({ name }) => ({ id: `=${name}`, label: name }))]}
        value={tags?.[0] === undefined ? ANY : `=${tags[0]}`}
        onChange={(id) => choose({ tags: id === ANY ? undefined : [id.slice(1)] })}
      />
      <TeamFilter value={teamID} onChange={(id) => choose({ teamID: id })} />
    </search>
  );
}
