/** The id that a metric has by its name and type: `revenue::sum`. */
export const metricID = ({ name, type }: { name: string; type: string }): string => `${name}::${type}`;
