/** The steps of a JSON pointer: `/rules/0` → `["rules", "0"]`. */
export function pointerSteps(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Longer names from requests are cut in responses. In characters. */
export const MAX_NAME_LENGTH = 100;

/** Cuts a text of a caller for a response. */
export function shorten(text: string, maxLength = MAX_NAME_LENGTH): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}

/** Formats the place of a violation, after `start`: `(["rules", "0", "passPercentage"])` → `rules[0].passPercentage`. */
export function toPlace(steps: string[], start = ""): string {
  return steps.reduce((place, step) => {
    const name = shorten(step);
    return /^\d+$/.test(name) ? `${place}[${name}]` : place ? `${place}.${name}` : name;
  }, start);
}
