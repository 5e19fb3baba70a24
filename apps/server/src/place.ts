/** The steps of a JSON pointer: `/rules/0` → `["rules", "0"]`. */
export function pointerSteps(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** A longer name from a request is cut in responses, characters. */
export const MAX_NAME_LENGTH = 100;

/** A text of a caller's as answers repeat it: cut where it is too long. */
export function shorten(text: string, maxLength = MAX_NAME_LENGTH): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}

/** A place as violations name it, from `start` on: `(["rules", "0", "passPercentage"])` → `rules[0].passPercentage`. */
export function toPlace(steps: string[], start = ""): string {
  return steps.reduce((place, step) => {
    const name = shorten(step);
    return /^\d+$/.test(name) ? `${place}[${name}]` : place ? `${place}.${name}` : name;
  }, start);
}
