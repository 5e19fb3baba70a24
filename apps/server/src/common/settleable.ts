/** A promise, and the function that settles it: rejected if an error is given. */
export type Settleable = { settled: Promise<void>; settle(error?: unknown): void };

export function settleable(): Settleable {
  let settle: Settleable["settle"] = () => {};
  const settled = new Promise<void>((resolve, reject) => {
    settle = (error) => (error === undefined ? resolve() : reject(error));
  });
  return { settled, settle };
}
