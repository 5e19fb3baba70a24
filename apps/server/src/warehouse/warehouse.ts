/** Why a warehouse did not answer. The message is for people. */
export class WarehouseFailure extends Error {
  /** Whether it could not be reached, may not be used, refused the statement, or took too long. */
  readonly kind: "unreachable" | "refused" | "refused-statement" | "late";

  constructor(kind: WarehouseFailure["kind"], message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

/** Why a statement was ended: its answer has more bytes than may be read. */
export function tooLarge(maxBytes: number, cause: unknown): WarehouseFailure {
  return new WarehouseFailure("refused-statement", `Its answer has more than ${Math.round(maxBytes / 2 ** 20)} MiB.`, cause);
}

/** The most characters of an engine's error that people read. */
const MOST_CHARACTERS = 500;

/** Why an engine did not execute a statement. An error may repeat a value, however long that is. */
export function refusedStatement(message: string, cause: unknown): WarehouseFailure {
  const shown = message.length > MOST_CHARACTERS ? `${message.slice(0, MOST_CHARACTERS)}…` : message;
  return new WarehouseFailure("refused-statement", `It refused the statement: ${shown}.`, cause);
}
