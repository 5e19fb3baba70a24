/** Whether a value fulfils a condition whose target it was made for. */
export type Comparison = (value: unknown) => boolean;
