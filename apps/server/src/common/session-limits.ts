/** When sessions end. */
export type SessionLimits = {
  /** After how long without a request, ms. */
  idleMs: number;
  /** After how long in any case, ms. */
  longestMs: number;
};
