// Explanations of a test's detectable effects. Pure.
import type { Meaning } from "./meaning.ts";

const FORMULA = "(critical value + z(power)) × SE of the difference; of proportions, the change that the score test finds so often";
const SOURCE = "Bloom 1995. Proportions: Fleiss, Tytun, Ury 1980. Margins: Kieser, Hauschke 1999";

export const DETECTION_MEANINGS = {
  minimumDetectableEffect: {
    label: "Minimum detectable difference",
    text: "The smallest true difference of the means that this test can detect with the data so far, at this power.",
    formula: FORMULA,
    source: SOURCE,
  },
  percentMinimumDetectableEffect: {
    label: "Minimum detectable effect",
    text: "The smallest true change that this test can detect with the data so far, at this power. For non-inferiority: the smallest margin that two equal groups pass.",
    formula: `100 × (${FORMULA}) ÷ |control mean|`,
    source: SOURCE,
  },
  "detection.power": {
    label: "Power",
    text: "The chance of detecting a true effect of this size.",
  },
  "detection.unitsPerDay": {
    label: "Units per day",
    text: "New units per day in both groups, over the last seven days.",
  },
  "detection.plannedEndPercent": {
    label: "Minimum detectable effect at the planned end",
    text: "The smallest change that can be detected at the planned end, if traffic stays the same.",
    formula: "as the minimum detectable effect, with the units expected then",
  },
  "detection.target.percent": {
    label: "Planned effect",
    text: "The change that the experiment is planned to detect, or the non-inferiority margin.",
  },
  "detection.target.days": {
    label: "Days until the planned effect can be detected",
    text: "Days until the minimum detectable effect reaches the planned effect, if traffic stays the same.",
  },
  "verdict.margin": {
    label: "Margin",
    text: "How much worse the metric may be, in percent of the control mean. Set in the experiment.",
    source: "Hauschke, Kieser, Diletti, Hothorn 1999",
  },
} satisfies Record<string, Meaning>;
