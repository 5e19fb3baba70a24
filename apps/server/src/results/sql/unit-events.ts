import type { Dialect } from "./dialect.ts";

/** A user, or a unit of another unit ID type. */
export type Unit = { unitType: string; id: string };

/**
 * Whether an event is about a unit. Unit ID types are compared in lower case.
 * @param value writes a text into the statement
 */
export function isAboutUnit({ unitType, id }: Unit, dialect: Dialect, value: (text: string) => string): string {
  if (unitType.toLowerCase() === "userid") return `"userID" = ${value(id)}`;
  // Nearly all events fail the first two conditions, which need no JSON parser.
  return `"customIDs" is not null and ${dialect.contains(`"customIDs"`, value(JSON.stringify(id)))}
    and ${dialect.hasMember(`"customIDs"`, value(unitType), value(id))}`;
}
