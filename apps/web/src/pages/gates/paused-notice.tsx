import { Link, useParams } from "@tanstack/react-router";
import { Fragment } from "react";
import type { Schema } from "../../api.ts";
import { isoTime } from "../../ui/iso-time.ts";
import { Notice } from "../../ui/notice.tsx";
import { moment } from "../../ui/time-text.ts";
import { findPause } from "./guardrail-words.ts";

/** Says that the gate's automated rollouts are paused, since when and why. */
export default function PausedNotice({ gate }: { gate: Schema<"Gate"> }) {
  const params = useParams({ from: "/projects/$projectID/gates/$id" });
  const pause = findPause(gate);
  if (pause === undefined) return null;
  return (
    <Notice
      tone="warn"
      actions={
        <Link to="/projects/$projectID/gates/$id" params={params} search={(known) => ({ ...known, tab: "results" })}>
          View alerts
        </Link>
      }
    >
      Automated rollouts paused since <time dateTime={isoTime(pause.since)}>{moment(pause.since)}</time> because{" "}
      {pause.causes.map(({ metric, rule }, index) => (
        <Fragment key={`${metric} ${rule}`}>
          {index > 0 && " and "}
          <bdi>{metric}</bdi> of the rule <bdi>{rule}</bdi>
        </Fragment>
      ))}{" "}
      got worse than {pause.causes.length === 1 ? "its guardrail allows" : "their guardrails allow"}.
    </Notice>
  );
}
