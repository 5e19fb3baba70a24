import type { Criterion } from "../plans/plan.ts";
import type { Dialect } from "./dialect.ts";
import type { Bind } from "./statement.ts";

/** The columns of a row of events, as SQL. */
export type EventColumns = { value: string; metadata: string; userFields: string };

/** The condition, which is true or false and never null, that an event meets all criteria. */
export function meetsAll(criteria: readonly Criterion[], event: EventColumns, dialect: Dialect, bind: Bind): string {
  return criteria.length === 0
    ? "true"
    : `(${criteria.map((one) => meets(one, comparedText(one, event, dialect, bind), dialect, bind)).join(" and ")})`;
}

/** The text that a criterion compares; null if it is missing. */
function comparedText({ type, column = "" }: Criterion, event: EventColumns, dialect: Dialect, bind: Bind): string {
  switch (type) {
    case "value":
      return `nullif(${event.value}, '')`;
    case "metadata":
      return dialect.textUnder(event.metadata, bind.text(column));
    case "user":
      return dialect.textUnderAnyCase(event.userFields, bind.text(column));
    case "user_custom":
      return dialect.textUnder(dialect.textUnder(event.userFields, bind.text("custom")), bind.text(column));
  }
}

/** The condition, which is true or false and never null, that a text meets a criterion. @param text may be null */
export function meets({ condition, values = [] }: Criterion, text: string, dialect: Dialect, bind: Bind): string {
  const first = values[0] ?? "";
  const isAny = (test: (value: string) => string) => values.map((value) => test(bind.text(value))).join(" or ");
  const known = (test: string) => `coalesce(${test}, false)`;
  switch (condition) {
    case "in":
      return known(dialect.isIn(text, bind.texts(values)));
    case "not_in":
      return `not ${known(dialect.isIn(text, bind.texts(values)))}`;
    case "=":
      return known(`${text} = ${bind.text(first)}`);
    case ">":
    case "<":
    case ">=":
    case "<=":
      return known(`${dialect.numberIn(text)} ${condition} ${bind.double(Number(first))}`);
    case "is_null":
      return `(${text} is null)`;
    case "non_null":
      return `(${text} is not null)`;
    case "contains":
      return known(isAny((value) => dialect.contains(text, value)));
    case "not_contains":
      return `not ${known(isAny((value) => dialect.contains(text, value)))}`;
    case "starts_with":
      return known(isAny((value) => dialect.startsWith(text, value)));
    case "ends_with":
      return known(isAny((value) => dialect.endsWith(text, value)));
    case "is_true":
      return known(`lower(${text}) = 'true'`);
    case "is_false":
      return known(`lower(${text}) = 'false'`);
  }
}
