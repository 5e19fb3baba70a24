import { Fragment, type ReactNode } from "react";
import { formatNumber } from "../ui/number-text.ts";
import { type Clause, clausesOf, countedEntities, type Deed, separator } from "./request-changes.ts";

type Props<T> = {
  /** The changes of one request, newest first. */
  changes: readonly T[];
  deedOf: (change: T) => Deed;
  /** The entity of a change that is the only one of its type: “the gate Sale”. */
  entity: (change: T) => ReactNode;
};

/** Describes the changes of a request after its actor: “disabled 100 gates”. */
export function RequestDeeds<T>({ changes, deedOf, entity }: Props<T>) {
  const clauses = clausesOf(changes, deedOf);
  const isLong = clauses.some(({ items }) => items.length > 1);
  return clauses.map(({ deed, place, items }, index) => (
    <Fragment key={`${deed} ${place}`}>
      {separator(index, clauses.length, isLong)}
      {deed}{" "}
      {items.map((same, position) => {
        const { type } = deedOf(same[0]);
        return (
          <Fragment key={type}>
            {separator(position, items.length)}
            {same.length === 1 ? entity(same[0]) : countedEntities(type, same.length)}
          </Fragment>
        );
      })}
      {place && ` ${place}`}
    </Fragment>
  ));
}

const NAMED = 3;

/** Names the first of the entities that the sentence only counts: “Sale, Search, Cart, and 97 more”. @param name of a change's entity */
export function FirstEntities<T>({ changes, deedOf, name }: Omit<Props<T>, "entity"> & { name: (change: T) => ReactNode }) {
  const counted = clausesOf(changes, deedOf).flatMap(({ items }: Clause<T>) => items.filter(({ length }) => length > 1).flat());
  const named = counted.slice(0, NAMED);
  const others = counted.length - named.length;
  const count = named.length + (others > 0 ? 1 : 0);
  return (
    <>
      {named.map((change, index) => {
        const { type, id } = deedOf(change);
        return (
          <Fragment key={`${type} ${id}`}>
            {separator(index, count)}
            {name(change)}
          </Fragment>
        );
      })}
      {others > 0 && `${separator(count - 1, count)}${formatNumber(others)} more`}
    </>
  );
}
