import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { query, type Request } from "../api.ts";
import entity from "../entity/entity.module.css";
import { explain } from "../explain.ts";
import { Section } from "../shell/page.tsx";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Select } from "../ui/choice.tsx";
import { Empty, Loading, Notice } from "../ui/notice.tsx";
import { date } from "../ui/time-text.ts";
import { heterogeneityText, PROMINENCE_NAMES, PROMINENCE_TONES, prominenceText, type SubgroupRow, subgroupText } from "./subgroup-words.ts";
import { numberText, type PulseMetric, signedText, verdictText } from "./verdicts.ts";

type Asked = Omit<NonNullable<Request<"getExperimentSubgroups">["query"]>, "dimensions" | "correction">;

type Props = {
  /** Of the experiment. */
  id: string;
  /** How the results are computed. */
  asked: Asked;
  metrics: readonly PulseMetric[];
};

const CORRECTIONS = [
  { id: "holm", label: "Holm" },
  { id: "benjaminiHochberg", label: "Benjamini–Hochberg" },
] as const;

type Correction = (typeof CORRECTIONS)[number]["id"];

/** All metrics by all dimensions. They are computed on request. */
export function Subgroups(props: Props) {
  const [isAsked, setAsked] = useState(false);
  return (
    <Section
      title="All metrics by all dimensions"
      description="Shows whether the change differs between users. Rows that stand out come first."
      actions={!isAsked && <Button onPress={() => setAsked(true)}>Compare all</Button>}
    >
      {isAsked && <Compared {...props} />}
    </Section>
  );
}

function Compared({ id, asked, metrics }: Props) {
  const [correction, setCorrection] = useState<Correction>("holm");
  const { control, test, cuped, confidence } = asked;
  const given = { control, test, correction, ...(cuped !== undefined && { cuped }), ...(confidence !== undefined && { confidence }) };
  const { data, error } = useQuery(query("getExperimentSubgroups", { path: { id }, query: given }));
  if (error) return <Notice tone="bad">{explain(error)}</Notice>;
  if (!data) return <Loading label="Comparing all metrics by all dimensions" />;
  const { rows, left, comparisons, matchesLoad, ds } = data.data;
  const nameOf = (metricID: string) => metrics.find((metric) => metric.metricID === metricID)?.metricName ?? metricID;
  return (
    <>
      <Select
        label="Correction"
        options={CORRECTIONS.map((one) => ({ ...one }))}
        value={correction}
        onChange={(chosen) => setCorrection(CORRECTIONS.find((one) => one.id === chosen)?.id ?? "holm")}
      />
      {matchesLoad === false && (
        <Notice tone="warn" title="These don’t match the results above">
          Since the last update, a metric has changed, or events arrived late or were deleted. Refresh the results.
        </Notice>
      )}
      {rows.length === 0 && (
        <Empty title="Nothing to compare">Send fields of users, such as country, or add dimensions to the experiment.</Empty>
      )}
      {rows.length > 0 && <Rows rows={rows} />}
      {rows.length > 0 && (
        <p className={entity.soft}>
          As of {date(Date.parse(ds), "utc")}. p-values are corrected for {comparisons} comparisons, and the tests for different effects for{" "}
          {rows.length}. A row contradicts all users if the change of all users is significant, but values with more than half of the users
          changed the other way.
        </p>
      )}
      {left.length > 0 && (
        <ul className={entity.soft}>
          {left.map(({ metricID, dimension, reason }) => (
            <li key={`${metricID} ${dimension}`}>
              <bdi>{metricID === undefined ? dimension : nameOf(metricID)}</bdi>: {reason}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Rows({ rows }: { rows: readonly SubgroupRow[] }) {
  return (
    <div className={entity.scroll}>
      <table className={entity.table} aria-label="All metrics by all dimensions">
        <thead>
          <tr>
            <th scope="col">Metric</th>
            <th scope="col">All users</th>
            <th scope="col">Findings</th>
            <th scope="col">Change by value</th>
            <th scope="col">Effects differ</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={`${row.total.metricID} ${row.dimension}`} row={row} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ row }: { row: SubgroupRow }) {
  const { total, dimension, standsOut, subgroups } = row;
  const reason = prominenceText(row);
  return (
    <tr>
      <th scope="row">
        <bdi>{total.metricName}</bdi>
        <div className={entity.soft}>
          by{" "}
          <Link
            to="."
            search={((known: object) => ({ ...known, dimension, dimensionMetric: total.metricID })) as never}
            resetScroll={false}
          >
            <bdi>{dimension}</bdi>
          </Link>
        </div>
      </th>
      <td>
        {total.percentChange === undefined ? numberText(total.absoluteChange ?? 0) : `${signedText(total.percentChange)}%`}
        <div className={entity.soft}>{verdictText(total)}</div>
      </td>
      <td>
        <Badge tone={PROMINENCE_TONES[standsOut]}>{PROMINENCE_NAMES[standsOut]}</Badge>
        {reason !== undefined && (
          <div className={entity.soft}>
            <bdi>{reason}</bdi>
          </div>
        )}
      </td>
      <td>
        {subgroups.map((subgroup) => (
          <div key={`${subgroup.kind} ${subgroup.dimension_value}`}>
            <bdi>{subgroupText(subgroup)}</bdi>
          </div>
        ))}
      </td>
      <td>{heterogeneityText(row)}</td>
    </tr>
  );
}
