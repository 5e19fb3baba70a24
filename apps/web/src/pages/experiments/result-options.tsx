import { useState } from "react";
import entity from "../../entity/entity.module.css";
import { adjustmentLabel } from "../../results/adjustment-words.ts";
import { AdjustmentChoice, Choices, CorrectionChoice } from "../../results/choices.tsx";
import { CORRECTION_NAMES } from "../../results/correction-choice.ts";
import type { Correction } from "../../results/corrections.ts";
import type { ScoreGroup } from "../../results/score-rows.ts";
import { useResultsSearch } from "../../results/use-results-search.ts";
import { Select } from "../../ui/choice.tsx";
import type { Experiment } from "./states.ts";

type Props = {
  experiment: Experiment;
  groups: readonly ScoreGroup[];
  /** The id of the group that the others are compared with. */
  control: string;
  usual: { confidence: number; correction: Correction };
};

/** How the results are computed. Open at first if the address changes anything. */
export function ResultOptions({ experiment, groups, control, usual }: Props) {
  const [search, change] = useResultsSearch();
  const { confidence = usual.confidence, correction = usual.correction, cuped, adjustment } = search;
  const [isOpen, setOpen] = useState([search.confidence, search.correction, cuped, adjustment].some((choice) => choice !== undefined));
  const facts = [
    `${confidence}% confidence`,
    ...(correction === "none" ? [] : [CORRECTION_NAMES[correction]]),
    ...(cuped === false ? ["without CUPED"] : []),
  ];
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        Compared with <bdi>{groups.find(({ id }) => id === control)?.name ?? control}</bdi>, {facts.join(", ")}
      </summary>
      <div className={entity.row}>
        <Select
          label="Compare with"
          options={groups.map(({ id, name }) => ({ id, label: name }))}
          value={control}
          onChange={(chosen) => change({ control: chosen, test: undefined })}
        />
        <CorrectionChoice usual={usual.correction} />
        <Choices usual={usual.confidence} />
        <AdjustmentChoice label={adjustmentLabel(experiment)} />
      </div>
    </details>
  );
}
