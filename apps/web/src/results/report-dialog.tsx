import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { query } from "../api.ts";
import { reportFile } from "../api-streams.ts";
import { compact, counted } from "../charts/format.ts";
import { explain, violationsByPlace } from "../explain.ts";
import { Button } from "../ui/button.tsx";
import { Select } from "../ui/choice.tsx";
import { DateField } from "../ui/date-field.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { downloadFile } from "../ui/download.ts";
import { Notice } from "../ui/notice.tsx";
import { toast } from "../ui/toast.tsx";
import { FORMATS, type Format, fileName, REPORTS, type ReportType } from "./report-words.ts";

type Props = {
  /** The experiment whose page it is. */
  id: string;
  /** The day that is offered first, such as 2025-11-30. */
  date: string;
  onClose: () => void;
};

const TYPES = Object.entries(REPORTS).map(([id, { label }]) => ({ id, label }));

/** Saves a report of one day as a file, about this experiment or about every one of the project. */
export default function ReportDialog({ id, date: first, onClose }: Props) {
  const [type, setType] = useState<ReportType>("pulse_daily");
  const [date, setDate] = useState(first);
  const [format, setFormat] = useState<Format>("csv");
  /** The bytes so far; undefined before a download. */
  const [received, setReceived] = useState<number>();
  const isReading = received !== undefined;
  const [failure, setFailure] = useState<unknown>();
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);
  const asked = { type, date, format, ...(REPORTS[type].isOfOne && { experimentID: id }) };
  const { data, error, isFetching } = useQuery({ ...query("getReport", { query: asked }), enabled: date !== "" });
  const dateFault = violationsByPlace(error).get("date");
  const notice = failure ?? (dateFault === undefined ? error : undefined);
  const save = async () => {
    const controller = new AbortController();
    abort.current = controller;
    setFailure(undefined);
    setReceived(0);
    try {
      const file = await reportFile(asked, { signal: controller.signal, onProgress: setReceived });
      const name = fileName(type, date, format, id);
      downloadFile(name, [file]);
      toast({ text: `${name} is saved` });
      onClose();
    } catch (thrown) {
      if (controller.signal.aborted) return;
      setFailure(thrown);
      setReceived(undefined);
    }
  };
  return (
    <Dialog
      title="Download report"
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button
            look="primary"
            onPress={() => void save()}
            isPending={isReading || (isFetching && !data)}
            disabledReason={date === "" ? "Choose a day." : dateFault}
          >
            Download
          </Button>
        </>
      }
    >
      {notice !== undefined && notice !== null && <Notice tone="bad">{explain(notice)}</Notice>}
      <p>
        {REPORTS[type].isOfOne ? "This report is about this experiment." : "This report is about every experiment of the project."} The
        audit log records the download.
      </p>
      <Select label="Report" description={REPORTS[type].about} options={TYPES} value={type} onChange={(id) => setType(id as ReportType)} />
      <DateField label="Day" value={date} onChange={setDate} error={dateFault} />
      <Select label="Format" options={FORMATS} value={format} onChange={(id) => setFormat(id === "csv" ? "csv" : "parquet")} />
      <p role="status">{isReading ? downloadText(received) : data && countText(type, data.data.experiments)}</p>
    </Dialog>
  );
}

function countText(type: ReportType, experiments: number): string {
  if (REPORTS[type].isOfOne) return experiments === 0 ? "The experiment has no results for this day." : "";
  return experiments === 0
    ? "No experiment has data of this day: the file will have no rows."
    : `The file can have rows of ${counted(experiments, "experiments")}.`;
}

/** The progress of a download, whose size is unknown before its end. */
const downloadText = (bytes: number): string => (bytes < MEGABYTE ? "Downloading…" : `Downloading… ${compact(bytes / MEGABYTE)} MB`);

const MEGABYTE = 1_000_000;
