import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { query, type Request } from "../api.ts";
import entity from "../entity/entity.module.css";
import { explain } from "../explain.ts";
import { Section } from "../shell/page.tsx";
import { Button } from "../ui/button.tsx";
import { Select } from "../ui/choice.tsx";
import { Empty, Loading, Notice } from "../ui/notice.tsx";
import { date } from "../ui/time-text.ts";
import type { DimensionSearch } from "./dimension-search.ts";
import { alphaText, fieldOptions, toRows } from "./dimension-values.ts";
import { PropertyChoice } from "./property-choice.tsx";
import styles from "./results.module.css";
import { Scorecard } from "./scorecard.tsx";
import { conclusion, type PulseMetric } from "./verdicts.ts";

type Asked = Omit<NonNullable<Request<"getExperimentPulseMetricResult">["query"]>, "metricID" | "dimension">;

type Props = {
  /** Of the experiment. */
  id: string;
  /** How the results are computed. */
  asked: Asked;
  metrics: readonly PulseMetric[];
  /** The names of the groups. */
  control: string;
  test: string;
};

/** A metric's results by values of a field of users or of a property. They are computed once someone opens them. */
export function ByDimension(props: Props) {
  const { dimension }: DimensionSearch = useSearch({ strict: false });
  const [isAsked, setAsked] = useState(false);
  const isOpen = isAsked || dimension !== undefined;
  return (
    <Section
      title="By dimension"
      description="Break down a metric by a user property at first exposure."
      actions={!isOpen && <Button onPress={() => setAsked(true)}>Break down</Button>}
    >
      {isOpen && <Divided {...props} />}
    </Section>
  );
}

function Divided(props: Props) {
  const { id, metrics } = props;
  const search: DimensionSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const { data, error } = useQuery(query("getExperimentDimensionalExposures", { path: { id } }));
  if (error) return <Notice tone="bad">{explain(error)}</Notice>;
  if (!data) return <Loading label="Loading fields" />;
  const { dimensions, reason } = data.data;
  const dimension = search.dimension ?? dimensions[0]?.dimension;
  const metricID = metrics.find((metric) => metric.metricID === search.dimensionMetric)?.metricID ?? metrics[0]?.metricID ?? "";
  const change = (changed: DimensionSearch) =>
    void navigate({ to: ".", search: ((known: object) => ({ ...known, ...changed })) as never, replace: true, resetScroll: false });
  const properties = <PropertyChoice onChoose={(chosen) => change({ dimension: chosen, dimensionMetric: metricID })} />;
  if (dimension === undefined)
    return (
      <>
        <Empty title={reason === undefined ? "No fields to break down by" : "Nothing to break down"}>
          {reason ?? "Send user fields with few values, such as country."}
        </Empty>
        {properties}
      </>
    );
  return (
    <>
      <div className={entity.row}>
        <Select
          label="Metric"
          options={metrics.map((metric) => ({ id: metric.metricID, label: metric.metricName }))}
          value={metricID}
          onChange={(chosen) => change({ dimension, dimensionMetric: chosen })}
        />
        <Select
          label="Field"
          options={fieldOptions(dimensions, dimension)}
          value={dimension}
          onChange={(chosen) => change({ dimension: chosen, dimensionMetric: metricID })}
        />
      </div>
      {properties}
      <Values {...props} metricID={metricID} dimension={dimension} />
    </>
  );
}

function Values({ id, asked, metrics, control, test, metricID, dimension }: Props & { metricID: string; dimension: string }) {
  const request = { path: { id }, query: { ...asked, metricID, dimension } };
  const { data, error } = useQuery(query("getExperimentPulseMetricResult", request));
  if (error) return <Notice tone="bad">{explain(error)}</Notice>;
  if (!data) return <Loading label="Computing results" />;
  const { ds, dimensionResults, matchesLoad, reason } = data.data;
  if (dimensionResults.length === 0) return <Empty title="Nothing to compare">{reason}</Empty>;
  const rows = toRows(dimensionResults);
  const name = metrics.find((metric) => metric.metricID === metricID)?.metricName ?? metricID;
  return (
    <>
      {matchesLoad === false && (
        <Notice tone="warn" title="These don’t match the results above">
          The metric changed, or events arrived late or were deleted. Refresh the results.
        </Notice>
      )}
      <p className={styles.conclusion}>
        <bdi>{conclusion(rows, control, test)}</bdi>
      </p>
      <Scorecard title={`${name} by ${dimension}`} rows={dimension} metrics={rows} all={rows} control={control} test={test} />
      <p className={entity.soft}>
        As of {date(Date.parse(ds), "utc")}. {alphaText(dimensionResults)}
      </p>
    </>
  );
}
