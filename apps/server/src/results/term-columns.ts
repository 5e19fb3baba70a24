import { meetsAll } from "./criteria.ts";
import type { Dialect } from "./dialect.ts";
import type { EventSource, Marker, Source, Span, Term } from "./plan.ts";
import type { Bind } from "./statement.ts";

/** The columns of an event in the common table expression `hit`, where `age` is the time since the unit's first exposure, ms. */
const EVENT = { value: `hit."value"`, metadata: `hit."metadata"`, userFields: `hit."userFields"` };

/** The steps in which a term becomes a number of each unit and day. */
export type TermColumns = {
  /** Of an event: whether it counts in the term's span, and the number with which it does. */
  ofHit: { counts: string; number: string };
  /** Of an event before the first exposure: whether it counts for CUPED. */
  countsEarlier: string;
  /** Of an event: whether it counts for either. */
  countsEither: string;
};

/** Whether an event counts, and with which number; a number that is none is null. */
export function columnsOf(term: Term, preMs: number, markers: readonly Marker[], dialect: Dialect, bind: Bind): TermColumns {
  const matches = term.sources.map((source) =>
    "marks" in source ? `(hit.mark = ${numberOfMarker(source, markers)})` : isOfEvent(source, dialect, bind),
  );
  const numbers = term.sources.map((source, index) => `when ${matches[index]} then ${numberOf(source, dialect, bind)}`);
  const isOne =
    term.fold.by === "any" || term.fold.by === "days" || term.sources.every((source) => "marks" in source || source.number.of === "one");
  const matched = `(${matches.join(" or ")})`;
  const isEarlier = `hit.age < 0 and hit.age >= ${bind.integer(-preMs)}`;
  return {
    ofHit: {
      counts: `(${matched} and ${isWithin(term.span, bind)})`,
      number: isOne ? dialect.double("1") : `(case ${numbers.join(" ")} end)`,
    },
    countsEarlier: `(${matched} and ${isEarlier})`,
    countsEither: `(${matched} and ((${isWithin(term.span, bind)}) or (${isEarlier})))`,
  };
}

/** The number of a marker's rows, counted from 1. */
export function numberOfMarker(marker: Marker, markers: readonly Marker[]): number {
  return markers.findIndex((one) => JSON.stringify(one) === JSON.stringify(marker)) + 1;
}

/** Whether a row of `hit` is such an event. A marker has no name. */
export function isOfEvent({ event, criteria }: EventSource, dialect: Dialect, bind: Bind): string {
  return `(hit."name" = ${bind.text(event)} and ${meetsAll(criteria, EVENT, dialect, bind)})`;
}

function numberOf(source: Source, dialect: Dialect, bind: Bind): string {
  if ("marks" in source || source.number.of === "one") return dialect.double("1");
  const { number } = source;
  return dialect.numberIn(number.of === "value" ? EVENT.value : dialect.textUnder(EVENT.metadata, bind.text(number.key)));
}

export function isWithin({ from, to }: Span, bind: Bind): string {
  const begins = `hit.age >= ${bind.integer(from)}`;
  return to === null ? begins : `${begins} and hit.age < ${bind.integer(to)}`;
}
