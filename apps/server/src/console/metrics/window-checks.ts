/** Notes a violation. */
export type Refuse = (property: string, errorMessage: string) => void;

/** A field with the number of a day. */
type Day = [field: string, day: number | undefined];

/** Checks the two days of a window, which only a custom one has. */
export function checkDays(window: string | undefined, start: Day, end: Day, refuse: Refuse): void {
  const isCustom = window === "custom";
  for (const [field, day] of [start, end]) {
    if (isCustom && day === undefined) refuse(field, "is required with the window custom");
    if (!isCustom && day !== undefined) refuse(field, "must be left out unless the window is custom");
  }
  const [[firstField, first], [lastField, last]] = [start, end];
  if (isCustom && first !== undefined && last !== undefined && last < first) {
    refuse(lastField, `must be at least ${firstField}, which is ${first}`);
  }
}
