/** Whether a value satisfies a condition. Compiled for the condition's operator and target. */
export type Comparison = (value: unknown) => boolean;
