import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { query, type Request } from "../../api.ts";
import type { BandPoint } from "../../charts/band.ts";
import { ChangeBand } from "../../charts/change-band.tsx";
import entity from "../../entity/entity.module.css";
import { explain } from "../../shell/explain.ts";
import { Select } from "../../ui/choice.tsx";
import { Loading, Notice } from "../../ui/notice.tsx";
import { type PulseMetric, pointsOf, signedText } from "./verdicts.ts";

type Asked = Request<"getExperimentPulseResults">;

/** How the change of a metric came about, day by day. */
export function OverTime({ path, asked, metrics }: { path: Asked["path"]; asked: Asked["query"]; metrics: readonly PulseMetric[] }) {
  const [chosen, setChosen] = useState<string>();
  const metricID = metrics.find((metric) => metric.metricID === chosen)?.metricID ?? metrics[0]?.metricID ?? "";
  const { data, error, isPending } = useQuery(query("getExperimentPulseResults", { path, query: { ...asked, series: true } }));
  const { primaryMetrics = [], secondaryMetrics = [], otherMetrics = [] } = data?.data ?? {};
  const metric = [...primaryMetrics, ...secondaryMetrics, ...otherMetrics].find((one) => one.metricID === metricID);
  return (
    <>
      <div className={entity.row}>
        <Select
          label="Metric"
          options={metrics.map(({ metricID: id, metricName }) => ({ id, label: metricName }))}
          value={metricID}
          onChange={setChosen}
        />
      </div>
      {error && <Notice tone="bad">{explain(error)}</Notice>}
      {isPending && <Loading label="Reading the days" />}
      {metric && (
        <ChangeBand
          title={`Change of ${metric.metricName} from the start to the end of each day`}
          points={pointsOf(metric.series ?? [])}
          textOf={describe}
          empty="No day has a change yet. Loads in turbo mode compute no days."
        />
      )}
    </>
  );
}

const describe = ({ value, low, high }: BandPoint): string =>
  low === undefined || high === undefined
    ? `${signedText(value)} %`
    : `${signedText(value)} % (${signedText(low)} % to ${signedText(high)} %)`;
