/** The id that a metric has by its name and type: `revenue::sum`. */
export const metricID = ({ name, type }: { name: string; type: string }): string => `${name}::${type}`;

/** The name in a metric's id, which ends with its type. */
export const nameInMetricID = (id: string): string => id.replace(/::[a-z_]+$/, "");
