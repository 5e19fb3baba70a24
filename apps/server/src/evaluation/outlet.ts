/** Where a body that never ends by itself is written to, piece by piece. */
export type Outlet = {
  /** Answers how many bytes the reader has not taken yet. */
  write(text: string): number;
  /** Ends the body in good order. */
  end(): void;
  /** Breaks the connection, with what waits in it. */
  cutOff(): void;
  /** Aborted when nobody reads any more, or when the server stops. */
  closed: AbortSignal;
};
