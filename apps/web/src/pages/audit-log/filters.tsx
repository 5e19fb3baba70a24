import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { query } from "../../api.ts";
import { AUDITED_TYPES, entityLabel } from "../../kinds/kinds.ts";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/choice.tsx";
import { DateField } from "../../ui/date-field.tsx";
import { TextField } from "../../ui/field.tsx";
import styles from "./audit-log.module.css";
import { isFiltered, type View } from "./page-search.ts";
import { CUSTOM, firstDay, PERIODS, periodOf } from "./periods.ts";

const FROM = "/projects/$projectID/audit-log";
const ANY = "any";

/** People and keys that are offered beside the members, since they are in the entries. */
type Actor = { id: string; name: string };

export function Filters({ view, actors }: { view: View; actors: readonly Actor[] }) {
  const search = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const choose = (change: object) => void navigate({ search: (known) => ({ ...known, ...change }), replace: true });
  const day = (name: "from" | "to", label: string) => (
    <DateField
      label={label}
      isOptional
      value={search[name] ?? ""}
      onChange={(value) => choose({ [name]: value === "" ? undefined : value })}
    />
  );
  const period = periodOf(search, Date.now());
  return (
    <search className={styles.filters} aria-label="Filters">
      {view === "changes" ? (
        <>
          <PersonFilter actors={actors} value={search.person} onChange={(person) => choose({ person })} />
          <Select
            label="Kind"
            options={[{ id: ANY, label: "Everything" }, ...AUDITED_TYPES.map((id) => ({ id, label: entityLabel(id) }))]}
            value={search.type ?? ANY}
            onChange={(type) => choose({ type: type === ANY ? undefined : type })}
          />
          <ExactFilter
            key={search.entity}
            label="ID"
            name="entity"
            placeholder="Any ID"
            value={search.entity}
            onChange={(entity) => choose({ entity })}
          />
        </>
      ) : (
        <ExactFilter
          key={search.operation}
          label="Operation"
          name="operation"
          placeholder="Any, such as patchGate"
          value={search.operation}
          onChange={(operation) => choose({ operation })}
        />
      )}
      <Select
        label="Period"
        options={[
          ...Object.entries(PERIODS).map(([id, { label }]) => ({ id, label })),
          ...(period === CUSTOM ? [{ id: CUSTOM, label: "Chosen days" }] : []),
        ]}
        value={period}
        onChange={(id) => choose({ from: firstDay(id, Date.now()), to: undefined })}
      />
      {day("from", "From (UTC)")}
      {day("to", "To (UTC)")}
      {isFiltered(search) && (
        <Button look="quiet" onPress={() => void navigate({ search: ({ view: kept }) => ({ view: kept }), replace: true })}>
          Clear filters
        </Button>
      )}
    </search>
  );
}

type FilterProps = { value: string | undefined; onChange: (value: string | undefined) => void };

function PersonFilter({ actors, value, onChange }: FilterProps & { actors: readonly Actor[] }) {
  const { data } = useQuery(query("listUsers", { query: { includeStaleMembers: true, limit: 1000 } }));
  const members = (data?.data ?? []).map(({ id, email, firstName, lastName }) => {
    const name = `${firstName} ${lastName}`.trim();
    return { id, label: name || email, ...(name !== "" && { hint: email }) };
  });
  const others = actors.filter(({ id }) => !members.some((member) => member.id === id)).map(({ id, name }) => ({ id, label: name }));
  const known = [...members, ...others];
  const isUnknown = value !== undefined && !known.some(({ id }) => id === value);
  return (
    <Select
      label="By"
      options={[{ id: ANY, label: "Anyone" }, ...(isUnknown ? [{ id: value, label: value }] : []), ...known]}
      value={value ?? ANY}
      onChange={(id) => onChange(id === ANY ? undefined : id)}
    />
  );
}

/** A text that has to match as a whole. Enter or leaving the field applies it. */
function ExactFilter({ label, name, placeholder, value, onChange }: FilterProps & { label: string; name: string; placeholder: string }) {
  const apply = (text: string) => {
    const given = text.trim();
    if (given !== (value ?? "")) onChange(given === "" ? undefined : given);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        apply(String(new FormData(event.currentTarget).get(name) ?? ""));
      }}
    >
      <TextField
        label={label}
        name={name}
        placeholder={placeholder}
        defaultValue={value ?? ""}
        onBlur={({ target }) => target instanceof HTMLInputElement && apply(target.value)}
      />
    </form>
  );
}
