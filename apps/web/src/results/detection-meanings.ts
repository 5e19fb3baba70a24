// Explanations of a test's detectable effects. Pure.
import type { Meaning } from "./meaning.ts";

const FORMULA = "(critical value + z(power)) × SE of the difference; of proportions, the change that the score test finds so often";
const SOURCE = "Bloom 1995. Proportions: Fleiss, Tytun, Ury 1980. Margins: Kieser, Hauschke 1999";

export const DETECTION_MEANINGS = {
  minimumDetectableEffect: {
    label: "Minimum detectable difference",
    text: "The smallest true difference of the means that this test finds with the data so far, as often as the power says. It doesn’t depend on the difference that was seen.",
    formula: FORMULA,
    source: SOURCE,
  },
  percentMinimumDetectableEffect: {
    label: "Minimum detectable effect",
    text: "The smallest true change that this test finds with the data so far, as often as the power says. Smaller changes may exist. For non-inferiority: the smallest margin that two equal groups pass.",
    formula: `100 × (${FORMULA}) ÷ |control mean|`,
    source: SOURCE,
  },
  "detection.power": {
    label: "Power",
    text: "How often the test finds a true effect of this size.",
  },
  "detection.unitsPerDay": {
    label: "Units per day",
    text: "How many units both groups gained per day, over the last seven days.",
  },
  "detection.plannedEndPercent": {
    label: "Minimum detectable effect at the planned end",
    text: "The smallest change that can be found at the planned end, if as many units arrive per day as now.",
    formula: "as the minimum detectable effect, with the units expected then",
  },
  "detection.target.percent": {
    label: "Planned effect",
    text: "The change that the experiment is planned to find, or the margin of non-inferiority.",
  },
  "detection.target.days": {
    label: "Days until the planned effect can be found",
    text: "How many more days it takes until the minimum detectable effect is as small as the planned one, if as many units arrive per day as now.",
  },
  "verdict.margin": {
    label: "Margin",
    text: "How much worse the metric may be, in percent of the control mean. The experiment says it.",
    source: "Hauschke, Kieser, Diletti, Hothorn 1999",
  },
} satisfies Record<string, Meaning>;
