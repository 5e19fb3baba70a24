/**
 * Accepts no further arguments: `subjects.map(memoized)` does not compile, since the index and the array that `map` passes would be inputs.
 */
type Memoized<Subject, Inputs extends readonly unknown[], Made> = (subject: Subject, ...inputs: [...Inputs, nothing?: never]) => Made;

/**
 * Caches the last result of `make` for each subject, as long as its inputs are the same objects, or lists of the same objects. Subjects are
 * referenced weakly.
 */
export function memoize<Subject extends object, Inputs extends readonly unknown[], Made>(
  make: (subject: Subject, ...inputs: Inputs) => Made,
): Memoized<Subject, Inputs, Made> {
  const last = new WeakMap<Subject, { inputs: Inputs; made: Made }>();
  return (subject, ...given) => {
    const inputs = given as readonly unknown[] as Inputs;
    const before = last.get(subject);
    if (before && isSameList(before.inputs, inputs)) return before.made;
    const made = make(subject, ...inputs);
    last.set(subject, { inputs, made });
    return made;
  };
}

function isSameList(before: readonly unknown[], after: readonly unknown[]): boolean {
  return before.length === after.length && before.every((one, index) => isSame(one, after[index]));
}

function isSame(before: unknown, after: unknown): boolean {
  return before === after || (Array.isArray(before) && Array.isArray(after) && isSameList(before, after));
}
