/** Keeps the answer of the first call for all later ones. A failure is not kept. Every call must ask for the same. */
export function once<Asked extends unknown[], T>(ask: (...asked: Asked) => Promise<T>): (...asked: Asked) => Promise<T> {
  let answer: Promise<T> | undefined;
  return (...asked) => {
    answer ??= ask(...asked).catch((error: unknown) => {
      answer = undefined;
      throw error;
    });
    return answer;
  };
}
