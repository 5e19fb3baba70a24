/** The number of rows of an evaluation on one page. */
export const EVALUATED_ROWS = 50;
