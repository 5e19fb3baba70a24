/** The id that a metric has by its name and type: `revenue::sum`. */
export const metricID = ({ name, type }: { name: string; type: string }): string => `${name}::${type}`;

const ENDING = /::([a-z_]+)$/;

/** The name in a metric's id, which ends with its type. */
export const nameInMetricID = (id: string): string => id.replace(ENDING, "");

/** The names of metrics for people, by their ids. The type follows where two of the metrics have the same name. */
export function metricLabels(ids: Iterable<string>): (id: string) => string {
  const counts = new Map<string, number>();
  for (const name of [...new Set(ids)].map(nameInMetricID)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return (id) => {
    const [name, type] = [nameInMetricID(id), ENDING.exec(id)?.[1]];
    return type !== undefined && (counts.get(name) ?? 0) > 1 ? `${name} (${type})` : name;
  };
}

/** A metric's name with its type: “Buyers (event user)”. Metrics of different types can have the same name. */
export const metricName = ({ name, type }: { name: string; type: string }): string => `${name} (${type.replaceAll("_", " ")})`;
