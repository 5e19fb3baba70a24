import type { EventSource, Term } from "../plans/plan.ts";
import type { Dialect } from "./dialect.ts";
import type { Bind } from "./statement.ts";

const COMPARISONS: readonly string[] = [">", "<", ">=", "<="];

/**
 * A dialect for terms over `hit`, with a column for each number of an event: texts take long to read as numbers, and several terms may read
 * the same one. `table` is that of the events with these columns. Request it after all terms are written.
 */
export function withEventNumbers(terms: readonly Term[], dialect: Dialect, bind: Bind): { reading: Dialect; table: () => string } {
  const texts: string[] = [];
  const numberColumn = (text: string) => {
    if (!texts.includes(text)) texts.push(text);
    return `hit.number${texts.indexOf(text)}`;
  };
  return {
    reading: { ...dialect, numberIn: numberColumn },
    table: () => {
      if (texts.length === 0) return "hit";
      const isRead = dialect.isIn(`hit."name"`, bind.texts(namesWithNumbers(terms)));
      const columns = texts.map((text, index) => `, case when ${isRead} then ${dialect.numberIn(text)} end as number${index}`);
      return `(select hit.*${columns.join("")} from hit ${dialect.once}) as hit`;
    },
  };
}

/** The names of the events that have a number which some term reads. */
function namesWithNumbers(terms: readonly Term[]): string[] {
  const sources = terms.flatMap((term) => term.sources).filter((source): source is EventSource => !("marks" in source));
  return [...new Set(sources.filter(readsNumber).map(({ event }) => event))];
}

const readsNumber = ({ number, criteria }: EventSource) =>
  number.of !== "one" || criteria.some(({ condition }) => COMPARISONS.includes(condition));
