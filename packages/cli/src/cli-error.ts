/** Exit codes, as `gatehouse --help` lists them. */
export const EXIT = { ok: 0, failure: 1, changes: 2, inReview: 3 } as const;

/** A failure that is explained to the person who runs the command. */
export class CliError extends Error {
  override readonly name = "CliError";
  /** A next step for the person. */
  readonly advice: string | undefined;

  constructor(message: string, advice?: string) {
    super(message);
    this.advice = advice;
  }
}

/** @param cause an error of the file system */
export function fileError(file: string, cause: unknown): CliError {
  const { code, message } = cause as { code?: string; message: string };
  if (code === "ENOENT") return new CliError(`${file} does not exist.`);
  if (code === "EACCES") return new CliError(`${file} cannot be opened: permission denied.`);
  return new CliError(`${file} cannot be opened: ${message}`);
}
