import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { query } from "../api.ts";
import { explain } from "../explain.ts";
import { Notice } from "../ui/notice.tsx";
import styles from "./start.module.css";

const POLL_MS = 2_000;

/** Waits for a check of the gate, as long as the page is in sight. */
export function FirstCheck({ id }: { id: string }) {
  const { projectID } = useParams({ from: "/projects/$projectID" });
  const { data, error } = useQuery({ ...query("getGateChecksByRule", { path: { id } }), staleTime: 0, refetchInterval: POLL_MS });
  const total = data?.data.rules.reduce((sum, { passes, fails }) => sum + passes + fails, 0);
  const [before, setBefore] = useState<number>();
  if (total !== undefined && before === undefined) setBefore(total);
  const link = (
    <Link to="/projects/$projectID/gates/$id" params={{ projectID, id }} search={{ tab: "checks" }}>
      Open the gate
    </Link>
  );
  if (error) return <Notice tone="bad">{explain(error)}</Notice>;
  if (total !== undefined && before !== undefined && total > before)
    return (
      <div role="status">
        <Notice tone="good" title={before === 0 ? "The first check has arrived" : "A check has arrived"} actions={link}>
          <span>
            Your code reads <bdi>{id}</bdi>: {data?.data.rules.map(({ passes, fails }) => outcomes(passes, fails)).join(", ")}. Change its
            rules, and your code gets the new result without a release.
          </span>
        </Notice>
      </div>
    );
  return (
    <div role="status" className={styles.waiting}>
      <span className={styles.pulse} aria-hidden="true" />
      <span>
        {before === undefined || before === 0
          ? "Waiting for the first check. Run your code."
          : `The gate was checked ${before} times in the last 7 days. Waiting for the next check. Repeated checks count once a minute.`}
      </span>
      {before !== undefined && before > 0 && link}
    </div>
  );
}

const outcomes = (passes: number, fails: number): string =>
  [passes > 0 && `${passes} passed`, fails > 0 && `${fails} failed`].filter(Boolean).join(", ");
