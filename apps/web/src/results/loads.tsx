import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { call, invalidate, query, type Schema } from "../api.ts";
import entity from "../entity/entity.module.css";
import { explain } from "../explain.ts";
import { ActorName } from "../shell/actor-name.tsx";
import { Section } from "../shell/page.tsx";
import { Button } from "../ui/button.tsx";
import { Snippet } from "../ui/copy.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Loading, Notice } from "../ui/notice.tsx";
import { Progress } from "../ui/progress.tsx";
import { Time } from "../ui/time.tsx";
import type { LoadOperations } from "./load-operations.ts";

type Load = Schema<"PulseLoad">;
type State = NonNullable<Load["finishedState"]>;

const STATE_NAMES: Record<State, string> = {
  success: "Completed",
  partial_failure: "Some metrics failed",
  failure: "Failed",
  cancelled: "Cancelled",
  timeout: "Timed out",
};

const SHOWN = 10;
const REFRESH_MS = 1_000;

type Props = { of: LoadOperations; description: string; disabledReason: string | undefined };

/** The loads of results: the one that runs with its progress, a button that starts another, and earlier ones. */
export function Loads({ of, description, disabledReason }: Props) {
  const { data, error: unread } = useQuery({
    ...query(of.list, { path: of.path, query: { limit: SHOWN } }),
    refetchInterval: ({ state }) => (state.data?.data.some(isRunning) ? REFRESH_MS : false),
  });
  const [error, setError] = useState<unknown>();
  const [shown, setShown] = useState<Load>();
  const loads = data?.data ?? [];
  const running = loads.find(isRunning);
  const finished = loads.find((load) => !isRunning(load))?.dagID;
  useEffect(() => {
    if (finished !== undefined) void invalidate(...of.reads, of.read);
  }, [finished, of]);
  const act = async (action: () => Promise<unknown>) => {
    setError(undefined);
    try {
      await action();
    } catch (thrown) {
      setError(thrown);
    } finally {
      await invalidate(of.list, of.read);
    }
  };
  const fault = error ?? unread;
  return (
    <Section
      title="Updates"
      description={description}
      actions={
        running ? (
          <Button
            disabledReason={disabledReason}
            onPress={() => void act(() => call(of.cancel, { path: { ...of.path, dagID: running.dagID } }))}
          >
            Cancel update
          </Button>
        ) : (
          <Button look="primary" disabledReason={disabledReason} onPress={() => void act(() => call(of.start, of.request))}>
            Refresh results
          </Button>
        )
      }
    >
      {fault !== null && fault !== undefined && <Notice tone="bad">{explain(fault)}</Notice>}
      {running && <RunningLoad of={of} dagID={running.dagID} />}
      {data === undefined && unread === null && <Loading label="Loading updates" />}
      {loads.some((load) => !isRunning(load)) && (
        <div className={entity.scroll}>
          <table className={entity.table} aria-label="Updates">
            <thead>
              <tr>
                <th scope="col">Started</th>
                <th scope="col">By</th>
                <th scope="col">Status</th>
                <th scope="col">Details</th>
              </tr>
            </thead>
            <tbody>
              {loads.map((load) =>
                load.finishedState === undefined ? null : (
                  <tr key={load.dagID}>
                    <th scope="row">
                      <Time time={load.createdTime} />
                    </th>
                    <td>{load.creatorName === null ? "Daily schedule" : <ActorName id={null} name={load.creatorName} />}</td>
                    <td>{STATE_NAMES[load.finishedState]}</td>
                    <td>
                      <Button look="quiet" onPress={() => setShown(load)}>
                        Details
                      </Button>
                    </td>
                  </tr>
                ),
              )}
            </tbody>
          </table>
        </div>
      )}
      {shown && (
        <Dialog title="Update details" isOpen onClose={() => setShown(undefined)} width="wide" isText>
          <LoadDetails of={of} dagID={shown.dagID} />
        </Dialog>
      )}
    </Section>
  );
}

const isRunning = ({ finishedState }: Load): boolean => finishedState === undefined;

type LoadProps = { of: LoadOperations; dagID: string };

function RunningLoad({ of, dagID }: LoadProps) {
  const { data } = useQuery({ ...query(of.read, { path: { ...of.path, dagID } }), refetchInterval: REFRESH_MS });
  const metrics = data?.data.metrics ?? [];
  const done = metrics.filter(({ state }) => state !== "waiting").length;
  return (
    <>
      <Progress label="Updating" value={metrics.length === 0 ? 0 : done / metrics.length} text={`${done} of ${metrics.length} metrics`} />
      <Outcomes label="Metrics of the update" metrics={metrics} />
    </>
  );
}

const OUTCOMES: Record<Schema<"PulseLoadMetric">["state"], string> = {
  waiting: "Waiting",
  success: "Completed",
  failure: "Failed",
  cancelled: "Cancelled",
  timeout: "Timed out",
};

const OF_JOBS: Record<Schema<"PulseJob">["jobType"], string> = {
  metrics: "",
  topline: " over all units",
  adjustment: " for the adjustment",
};

/** The outcome of each metric so far. */
function Outcomes({ label, metrics }: { label: string; metrics: readonly Schema<"PulseLoadMetric">[] }) {
  if (metrics.length === 0) return null;
  return (
    <ul aria-label={label}>
      {metrics.map(({ metricID, state, reason }) => (
        <li key={metricID}>
          <code>{metricID}</code> {reason ?? OUTCOMES[state]}
        </li>
      ))}
    </ul>
  );
}

function LoadDetails({ of, dagID }: LoadProps) {
  const { data, error } = useQuery(query(of.read, { path: { ...of.path, dagID } }));
  if (error) return <Notice tone="bad">{explain(error)}</Notice>;
  if (data === undefined) return <Loading label="Loading details" />;
  return (
    <>
      <Outcomes label="Metrics" metrics={data.data.metrics} />
      {data.data.jobs.map(({ jobType, jobIDs, startTime, endTime, sql }) => (
        <Snippet
          key={`${jobType} ${startTime} ${jobIDs.join()}`}
          label={`SQL of ${jobIDs.join(", ")}${OF_JOBS[jobType]}: ${endTime - startTime} ms`}
          text={sql}
        />
      ))}
    </>
  );
}
