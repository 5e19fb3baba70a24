// How a property of an entity property source is called as a dimension. Pure.

/** The dots in the name of the source are escaped, so that the next one precedes the column. */
export const propertyField = (source: string, column: string): string =>
  `property.${source.replaceAll("%", "%25").replaceAll(".", "%2E")}.${column}`;
