/** Why a number does not exist. */
export type Reason =
  /** A group has no units. */
  | "no_units"
  /** One unit has no variance. */
  | "one_unit"
  /** All values are equal, so chance explains nothing. */
  | "no_variance"
  /** Nothing stands in the denominator of a ratio. */
  | "no_denominator"
  /** The control mean is 0, so relative changes are undefined. */
  | "control_mean_zero"
  /** The control mean is not significantly different from 0, so its lift has no bounded interval (Fieller's g ≥ 1). */
  | "control_mean_uncertain"
  /** The values at the bounds of a percentile are equal, so its error cannot be estimated. */
  | "percentile_of_equal_values"
  /** The percentile is closer to the outermost events than its error, so nothing bounds it. */
  | "percentile_of_few_events"
  /** No group is expected to have units. */
  | "no_weights"
  /** Fewer than two parts of the units can be compared. */
  | "one_part";

/** A value, or the reason for its absence. A missing value is never 0. */
export type Maybe<T> = { readonly value: T; readonly reason?: undefined } | { readonly value?: undefined; readonly reason: Reason };

export const some = <T>(value: T): Maybe<T> => ({ value });
export const none = (reason: Reason): { readonly reason: Reason } => ({ reason });
