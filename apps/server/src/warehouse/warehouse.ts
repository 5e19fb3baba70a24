/** Why a warehouse did not answer. The message is for people. */
export class WarehouseFailure extends Error {
  /** Whether it could not be reached, may not be used, refused the statement, or took too long. */
  readonly kind: "unreachable" | "refused" | "refused-statement" | "late";

  constructor(kind: WarehouseFailure["kind"], message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}
