import { Suspense, useState } from "react";
import { scoreCsv } from "../../results/score-csv.ts";
import type { ScoreRow } from "../../results/score-rows.ts";
import { downloadFile } from "../../shell/download.ts";
import { Button } from "../../ui/button.tsx";
import { CopyLinkButton } from "../../ui/copy.tsx";
import { soonDialog } from "../../ui/soon.tsx";

const ReportDialog = soonDialog(() => import("../../results/report-dialog.tsx"));

type Props = {
  /** Of the experiment. */
  id: string;
  rows: readonly ScoreRow[];
  /** The name of the control group. */
  control: string;
  /** The day of the results. */
  date: string;
};

/** Ways to share the scorecard. */
export function ResultActions({ id, rows, control, date }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <CopyLinkButton />
      <Button onPress={() => downloadFile(`scorecard_${id}_${date}.csv`, [scoreCsv(rows, control)])}>Download CSV</Button>
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
