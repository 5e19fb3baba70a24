/** The steps of a JSON pointer: `/rules/0` → `["rules", "0"]`. */
export function pointerSteps(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** A place as violations name it, from `start` on: `(["rules", "0", "passPercentage"])` → `rules[0].passPercentage`. */
export function toPlace(steps: string[], start = ""): string {
  return steps.reduce((place, step) => (/^\d+$/.test(step) ? `${place}[${step}]` : place ? `${place}.${step}` : step), start);
}
