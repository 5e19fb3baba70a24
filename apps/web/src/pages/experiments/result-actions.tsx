import { type RefObject, Suspense, useState } from "react";
import { PictureButton } from "../../charts/picture-button.tsx";
import { scoreCsv } from "../../results/score-csv.ts";
import type { ScoreRow } from "../../results/score-rows.ts";
import { Button } from "../../ui/button.tsx";
import { CopyLinkButton } from "../../ui/copy.tsx";
import { downloadFile } from "../../ui/download.ts";
import { soonDialog } from "../../ui/soon.tsx";
import { date as dateText } from "../../ui/time-text.ts";
import type { Experiment } from "./states.ts";

const ReportDialog = soonDialog(() => import("../../results/report-dialog.tsx"));

type Props = {
  experiment: Pick<Experiment, "id" | "name">;
  /** Of the scorecard. */
  table: RefObject<HTMLElement | null>;
  rows: readonly ScoreRow[];
  /** The name of the control group. */
  control: string;
  /** The day of the results. */
  date: string;
};

/** Ways to share the scorecard. */
export function ResultActions({ experiment: { id, name }, table, rows, control, date }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <CopyLinkButton />
      <Button onPress={() => downloadFile(`scorecard_${id}_${date}.csv`, [scoreCsv(rows, control)])}>Download CSV</Button>
      <PictureButton of={table} name={`scorecard ${id} ${date}`} heading={`${name}, results as of ${dateText(Date.parse(date), "utc")}`} />
      <Button onPress={() => print()}>Print or save as PDF</Button>
      <Button onPress={() => setOpen(true)}>Download report</Button>
      {isOpen && (
        <Suspense>
          <ReportDialog id={id} date={date} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
