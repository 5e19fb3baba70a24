import { Select } from "../ui/choice.tsx";
import { Checkbox } from "../ui/field.tsx";

const CONFIDENCES = ["80", "90", "95", "98", "99"];

type Props = {
  /** In percent. */
  confidence: string;
  onConfidence: (confidence: string) => void;
  cuped: boolean;
  onCuped: (cuped: boolean) => void;
};

/** How results are computed. */
export function Choices({ confidence, onConfidence, cuped, onCuped }: Props) {
  return (
    <>
      <Select
        label="Confidence"
        options={CONFIDENCES.map((level) => ({ id: level, label: `${level} %` }))}
        value={confidence}
        onChange={onConfidence}
      />
      <Checkbox isSelected={cuped} onChange={onCuped}>
        Reduce the variance by what units did before (CUPED)
      </Checkbox>
    </>
  );
}
