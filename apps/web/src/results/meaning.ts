/** The meaning of a number, for hovers and lists. */
export type Meaning = {
  /** Name of the number. */
  label: string;
  text: string;
  /** In plain notation. */
  formula?: string;
  /** Author and year. */
  source?: string;
};
