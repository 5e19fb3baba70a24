/**
 * Takes nothing behind its inputs: `subjects.map(memoized)` does not compile, since the position and the list that `map` passes on would be
 * inputs too.
 */
type Memoized<Subject, Inputs extends readonly unknown[], Made> = (subject: Subject, ...inputs: [...Inputs, nothing?: never]) => Made;

/**
 * What `make` made last of a subject, as long as all that it was made from is the same: the same objects, or lists of the same. Subjects
 * that nobody holds any more are forgotten.
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
