import type { EventSource, Marker, Source, Span, Term } from "../plans/plan.ts";
import { meetsAll } from "./criteria.ts";
import type { Dialect } from "./dialect.ts";
import type { Bind } from "./statement.ts";

/** The columns of an event in the common table expression `hit`, where `age` is the time since the unit's first exposure, ms. */
const EVENT = { value: `hit."value"`, metadata: `hit."metadata"`, userFields: `hit."userFields"` };

/** A term's columns for an event. Conditions are functions, since a statement only has parameters that it uses. */
export type TermColumns = {
  /** The number with which it counts. */
  number: string;
  /** Whether it counts in the term's span. */
  counts: () => string;
  /** Whether it counts for CUPED, before the first exposure. */
  countsEarlier: () => string;
  /** Whether it counts for either. */
  countsEither: () => string;
};

/** Whether an event counts, and its number; null if that is not a number. */
export function termColumns(term: Term, preMs: number, markers: readonly Marker[], dialect: Dialect, bind: Bind): TermColumns {
  const matches = term.sources.map((source) =>
    "marks" in source ? `(hit.mark = ${numberOfMarker(source, markers)})` : isOfEvent(source, dialect, bind),
  );
  const isOne =
    term.fold.by === "any" || term.fold.by === "days" || term.sources.every((source) => "marks" in source || source.number.of === "one");
  const matched = `(${matches.join(" or ")})`;
  const isEarlier = () => `hit.age < 0 and hit.age >= ${bind.integer(-preMs)}`;
  // Events are read from the beginning of the time before the exposure on. Markers may lie before it.
  const isAnyTime = term.span.from === 0 && term.span.to === null && markers.length === 0;
  return {
    counts: () => `(${matched} and ${isWithin(term.span, bind)})`,
    number: isOne ? dialect.double("1") : firstNumber(matches, term.sources, dialect, bind),
    countsEarlier: () => `(${matched} and ${isEarlier()})`,
    countsEither: () => (isAnyTime ? matched : `(${matched} and ((${isWithin(term.span, bind)}) or (${isEarlier()})))`),
  };
}

/** The number of an event that is known to match, as the first source that it matches says. */
function firstNumber(matches: readonly string[], sources: readonly Source[], dialect: Dialect, bind: Bind): string {
  const numbers = sources.map((source) => sourceNumber(source, dialect, bind));
  const others = numbers.slice(0, -1).map((number, index) => `when ${matches[index]} then ${number}`);
  return others.length === 0 ? numbers.join() : `(case ${others.join(" ")} else ${numbers.at(-1)} end)`;
}

/** The number of a marker's rows, counted from 1. */
function numberOfMarker(marker: Marker, markers: readonly Marker[]): number {
  return markers.findIndex((one) => JSON.stringify(one) === JSON.stringify(marker)) + 1;
}

/** Whether a row of `hit` is such an event. A marker has no name. */
export function isOfEvent({ event, criteria }: EventSource, dialect: Dialect, bind: Bind): string {
  const isNamed = `hit."name" = ${bind.text(event)}`;
  return criteria.length === 0 ? `(${isNamed})` : `(${isNamed} and ${meetsAll(criteria, EVENT, dialect, bind)})`;
}

function sourceNumber(source: Source, dialect: Dialect, bind: Bind): string {
  if ("marks" in source || source.number.of === "one") return dialect.double("1");
  const { number } = source;
  return dialect.numberIn(number.of === "value" ? EVENT.value : dialect.textUnder(EVENT.metadata, bind.text(number.key)));
}

export function isWithin({ from, to }: Span, bind: Bind): string {
  const begins = `hit.age >= ${bind.integer(from)}`;
  return to === null ? begins : `${begins} and hit.age < ${bind.integer(to)}`;
}
