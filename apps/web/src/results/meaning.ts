/** What a number means, as hovers and lists say it. */
export type Meaning = {
  /** What the number is called. */
  label: string;
  text: string;
  /** In plain notation. */
  formula?: string;
  /** Author and year. */
  source?: string;
};
