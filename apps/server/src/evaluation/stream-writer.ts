/** Writes a response body of unbounded length. */
export type StreamWriter = {
  /** Returns the number of bytes that the reader has not received yet. */
  write(text: string): number;
  /** Ends the body. */
  end(): void;
  /** Closes the connection, and discards unsent bytes. */
  destroy(): void;
  /** Aborted when the connection closes. */
  closed: AbortSignal;
};
