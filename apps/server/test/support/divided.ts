import { type Buyer, DAY_MS, HOUR_MS, pulseOn } from "./pulse.ts";
import type { TestServer } from "./server.ts";

type Query = NonNullable<Parameters<TestServer["client"]["getExperimentPulseMetricResult"]>[0]>["query"];
export type Divided = Awaited<ReturnType<typeof dividedOn>>;

/** Units of a group that buy once each, for these values, a minute after their exposure. */
export const buying = (group: string, values: number[], fields: object, name = JSON.stringify(fields)): Buyer[] =>
  values.map((value, index) => ({ unit: `${group} ${name} ${index}`, group, purchases: [{ value, afterMs: 60_000 }], fields }));

/** Makes the metrics of experiments whose results are divided. */
export async function dividedOn(server: TestServer) {
  const pulse = pulseOn(server);
  await pulse.metric("Revenue");
  await pulse.metric("Price", { type: "mean" });
  await pulse.metric("Changing");
  await pulse.metric("Unloaded");
  await pulse.metric("Median", { type: "user_warehouse", warehouseNative: { aggregation: "percentile", percentile: 0.5 } });
  return {
    /** An experiment whose units were exposed a day ago, loaded. */
    async loaded(name: string, buyers: Buyer[], given: object = {}): Promise<string> {
      const primaryMetrics = [{ name: "Revenue", type: "sum" }];
      const secondaryMetrics = [
        { name: "Price", type: "mean" },
        { name: "Changing", type: "sum" },
        { name: "Median", type: "user_warehouse" },
      ];
      const id = await pulse.experiment(name, { primaryMetrics, secondaryMetrics, ...given });
      const time = server.clock.now + HOUR_MS;
      server.clock.now += DAY_MS;
      await pulse.log(id, buyers, time);
      await pulse.load(id);
      return id;
    },

    async readResult(id: string, query: Partial<Query> = {}) {
      const asked = { control: "control", test: "test", metricID: "Revenue::sum", ...query };
      return (await server.client.getExperimentPulseMetricResult({ path: { id }, query: asked })).data;
    },

    readExposures: async (id: string) => (await server.client.getExperimentDimensionalExposures({ path: { id } })).data,
  };
}
