/** Whether a value fulfils a condition whose target it was made for. */
export type Test = (value: unknown) => boolean;
