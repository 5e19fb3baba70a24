/** Fields that the server sets and that no request can change. */
const SET_BY_SERVER: ReadonlySet<string> = new Set([
  ...["id", "version", "createdTime", "creatorName"],
  ...["lastModifiedTime", "lastModifierID", "lastModifierName", "lastModifierEmail"],
  ...["checksPerHour", "typeReason", "count", "salt", "userBuckets", "healthChecks", "healthCheckStatus", "lineage"],
]);

/** Fields that the server sets in rules, groups and variants. */
const SET_IN_ITEMS = /^(rules|groups|variants)\[.*\.(id|baseID|completedAutomatedRollouts)$/;

/** The first step of a path: `rules` of `rules[0].name`. */
export const firstStep = (path: string): string => path.split(/[.[]/, 1)[0] ?? path;

export const isSetByServer = (path: string): boolean => SET_BY_SERVER.has(firstStep(path)) || SET_IN_ITEMS.test(path);
