/** What every part of a definition's form takes. */
export type FieldProps = {
  disabledReason: string | undefined;
  /** What is wrong at a path in a request, or at an item of the list there. */
  faultAt: (property: string) => string | undefined;
};
