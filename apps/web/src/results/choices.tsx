import { Select } from "../ui/choice.tsx";
import { Checkbox } from "../ui/field.tsx";
import { CONFIDENCES } from "./results-search.ts";
import { useResultsSearch } from "./use-results-search.ts";

/** How results are computed, which the address says. @param usual the confidence without a choice, in percent */
export function Choices({ usual }: { usual: number }) {
  const [{ confidence = usual, cuped = true }, change] = useResultsSearch();
  return (
    <>
      <Select
        label="Confidence"
        options={CONFIDENCES.map((level) => ({ id: String(level), label: `${level} %` }))}
        value={String(confidence)}
        onChange={(level) => change({ confidence: Number(level) === usual ? undefined : CONFIDENCES.find((one) => one === Number(level)) })}
      />
      <Checkbox isSelected={cuped} onChange={(isOn) => change({ cuped: isOn ? undefined : false })}>
        Reduce the variance by what units did before (CUPED)
      </Checkbox>
    </>
  );
}
