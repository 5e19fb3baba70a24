import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { call, invalidate, query, type Schema } from "../api.ts";
import entity from "../entity/entity.module.css";
import { violationsByPlace } from "../explain.ts";
import { FormDialog } from "../shell/form-dialog.tsx";
import { Select } from "../ui/choice.tsx";
import { DateField } from "../ui/date-field.tsx";
import { Notice } from "../ui/notice.tsx";
import { toast } from "../ui/toast.tsx";
import { type Backfill, backfillBody, backfillInWords, faultOfBackfill } from "./backfill-request.ts";
import { DATASETS, type Dataset, daysOfRun, type Run } from "./ingestion-words.ts";
import { SourcesField } from "./sources-field.tsx";
import { type Days, daysBefore } from "./utc-days.ts";

const FROM = "/projects/$projectID";

type Props = {
  /** The only source that is copied. Without it, the dialog asks which ones are. */
  source?: Schema<"IngestionSource">;
  /** The run whose days are copied again. */
  again?: Run;
  onClose: () => void;
};

/** Starts a run that copies older days, and leads to its page. */
export default function BackfillDialog({ source, again, onClose }: Props) {
  const { projectID } = useParams({ from: FROM });
  const navigate = useNavigate();
  const [now] = useState(Date.now);
  const [dataset, setDataset] = useState<Dataset>(source?.data.dataset ?? again?.dataset ?? "Events");
  const [sources, setSources] = useState<readonly string[]>(source ? [source.id] : (again?.sources ?? []));
  const [days, setDays] = useState<Days>((again && daysOfRun(again)) ?? { first: daysBefore(now, 7), last: daysBefore(now, 1) });
  const [error, setError] = useState<unknown>();
  const [isPending, setPending] = useState(false);
  const { data: warehouse } = useQuery({ ...query("getWarehouseConnection"), enabled: source === undefined });
  const type = source?.type ?? warehouse?.data.type ?? undefined;
  const backfill: Backfill | undefined = type && { type, dataset, sources, days };
  const fault = faultOfBackfill(days, now);
  const refused = violationsByPlace(error);
  const refusedSource = [...refused].find(([property]) => property.startsWith("source"))?.[1];
  const isMissing = warehouse?.data.type === null;
  const isReady = backfill !== undefined && fault === undefined;
  const edit =
    <Value,>(set: (value: Value) => void) =>
    (value: Value) => {
      setError(undefined);
      set(value);
    };
  const start = async () => {
    if (!isReady || isPending) return;
    setPending(true);
    setError(undefined);
    try {
      const { data } = await call("startIngestionBackfill", { body: backfillBody(backfill) });
      await invalidate("listIngestionRuns");
      onClose();
      await navigate({ to: "/projects/$projectID/ingestion-runs/$id", params: { projectID, id: data.runID } });
      toast({ text: "Backfill started" });
    } catch (thrown) {
      setError(thrown);
      setPending(false);
    }
  };
  return (
    <FormDialog
      title={source ? `Backfill ${source.id}` : "Backfill"}
      label="Start"
      isPending={isPending}
      disabledReason={isMissing ? "The project has no warehouse." : (fault?.first ?? fault?.last)}
      error={error}
      onSubmit={start}
      onClose={onClose}
    >
      {isMissing && (
        <Notice
          tone="warn"
          actions={
            <Link to="/projects/$projectID/settings" params={{ projectID }} search={{ tab: "warehouse" }} onClick={onClose}>
              Open the warehouse
            </Link>
          }
        >
          Connect a warehouse to copy rows from it.
        </Notice>
      )}
      <p>The days are copied in the background. Rows that were copied before are skipped.</p>
      {source === undefined && (
        <>
          <Select
            label="Dataset"
            options={DATASETS}
            value={dataset}
            onChange={edit((id: string) => {
              setDataset(id as Dataset);
              setSources([]);
            })}
          />
          <SourcesField dataset={dataset} sources={sources} onChange={edit(setSources)} error={refusedSource} />
        </>
      )}
      <DateField
        label="First day"
        autoFocus
        value={days.first}
        onChange={edit((first: string) => setDays({ ...days, first }))}
        error={fault?.first ?? refused.get("datestamp_start")}
      />
      <DateField
        label="Last day"
        value={days.last}
        onChange={edit((last: string) => setDays({ ...days, last }))}
        description="Days are in UTC. For today, the rows that the warehouse has so far are copied."
        error={fault?.last ?? refused.get("datestamp_end")}
      />
      <p className={entity.soft} role="status">
        {isReady && backfillInWords(backfill)}
      </p>
    </FormDialog>
  );
}
