import type { Analysis } from "./analysis.ts";
import type { Dialect } from "./dialect.ts";
import { customField, customFields } from "./dimension.ts";
import { unitsTable } from "./moments-query.ts";
import { type Bind, parametersFor, type Statement } from "./statement.ts";

/** The most values of a field that are distinguished. */
const MAX_VALUES = 20;
/** The most fields that are offered. */
const MAX_FIELDS = 20;
/** The most characters in the name of a field that is offered. */
const MAX_NAME_LENGTH = 200;

/** A row of the answer: units with a value, units with other values of a field (`value` is null), or all units (`field` is null). */
export type DimensionRow = { field: string | null; value: string | null; grp: string; units: number; distinct_values: number };

/** How many units of each group, by its id. */
export type Units = Record<string, number>;

export type DimensionCounts = {
  field: string;
  /** The values with the most units, in that order. */
  values: { value: string; units: Units }[];
  /** How many further values there are, and their units. */
  others: { values: number; units: Units };
  /** Units without the field. */
  none: Units;
};

/**
 * The statement that counts units by the values of a field of their users. By default, it uses the fields that divide units well: their
 * most frequent values cover half of the units that have the field, with two units or more for each value. This excludes identifiers.
 */
export function dimensionCounts(analysis: Analysis, field: string | undefined, dialect: Dialect): Statement {
  const bind = parametersFor(dialect);
  const isKept = `place <= ${bind.integer(MAX_VALUES)}`;
  const known = `max(known)`;
  const isOffered = `having 2 * sum(case when ${isKept} then units else 0 end) >= ${known} and 2 * max(distinct_values) <= ${known}
  order by ${known} desc, field limit ${MAX_FIELDS}`;
  const text = `
with ${unitsTable({ ...analysis, dimension: field === undefined ? { of: "fields" } : { of: "text", field } }, dialect, bind)},
known as (${field === undefined ? eachField(dialect, bind) : `select grp, ${bind.text(field)} as field, dim as "value" from unit where dim is not null`}),
counted ${dialect.shared} (select field, "value", grp, count(*) as units from known group by field, "value", grp),
valued as (select field, "value", sum(units) as units from counted group by field, "value"),
ranked ${dialect.shared} (
  select field, "value", units, row_number() over (partition by field order by units desc, "value") as place,
    count(*) over (partition by field) as distinct_values, sum(units) over (partition by field) as known
  from valued
),
offered as (select field, max(distinct_values) as distinct_values from ranked group by field ${field === undefined ? isOffered : ""}),
kept as (
  select ranked.field, ranked."value", case when ${isKept} then ranked."value" end as kept_value, offered.distinct_values as distinct_values
  from ranked join offered on offered.field = ranked.field
)
select kept.field, kept.kept_value as "value", counted.grp, ${dialect.double("sum(counted.units)")} as units,
  ${dialect.double("max(kept.distinct_values)")} as distinct_values
from kept join counted on counted.field = kept.field and counted."value" = kept."value"
group by kept.field, kept.kept_value, counted.grp
union all select null as field, null as "value", grp, ${dialect.double("count(*)")} as units, ${dialect.double("0")} as distinct_values
from unit group by grp`;
  return { text, parameters: bind.parameters };
}

/** Each field of each unit that has a value. A property of `custom` with the name of another field is a separate field. */
function eachField(dialect: Dialect, bind: Bind): string {
  const isNamed = (name: string) =>
    `member."text" is not null and char_length(member.name) between 1 and ${bind.integer(MAX_NAME_LENGTH - name.length)}`;
  return `select grp, member.name as field, member."text" as "value" from unit ${dialect.joinMembers("dim")}
    where ${isNamed("")} and member.name <> ${bind.text("custom")}
  union all select grp, ${bind.text(customField(""))} || member.name as field, member."text" as "value"
    from unit ${dialect.joinMembers(customFields("dim", dialect, bind))} where ${isNamed(customField(""))}`;
}

/** The fields, beginning with the one that most units have. @param asked a field that is counted even if no unit has it */
export function countsIn(rows: readonly DimensionRow[], asked?: string): DimensionCounts[] {
  const all: Units = {};
  const byField = new Map<string, DimensionRow[]>(asked === undefined ? [] : [[asked, []]]);
  for (const row of rows) {
    if (row.field === null) all[row.grp] = row.units;
    else byField.set(row.field, [...(byField.get(row.field) ?? []), row]);
  }
  const counts = [...byField].map(([field, own]) => toCounts(field, own, all));
  return counts.sort((a, b) => total(a.none) - total(b.none) || compare(a.field, b.field));
}

function toCounts(field: string, rows: readonly DimensionRow[], all: Units): DimensionCounts {
  const byValue = new Map<string, Units>();
  const [others, none]: [Units, Units] = [{}, { ...all }];
  for (const { value, grp, units } of rows) {
    none[grp] = (none[grp] ?? 0) - units;
    if (value === null) others[grp] = units;
    else byValue.set(value, { ...byValue.get(value), [grp]: units });
  }
  const values = [...byValue].map(([value, units]) => ({ value, units }));
  return {
    field,
    values: values.sort((a, b) => total(b.units) - total(a.units) || compare(a.value, b.value)),
    others: { values: (rows[0]?.distinct_values ?? 0) - values.length, units: others },
    none,
  };
}

export const total = (units: Units): number => Object.values(units).reduce((sum, one) => sum + one, 0);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
