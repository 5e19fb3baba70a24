/** Props of every part of a definition's form. */
export type FieldProps = {
  disabledReason: string | undefined;
  /** The fault at a path in a request, or at an item of the list there. */
  faultAt: (property: string) => string | undefined;
};
