/** `transient` failures may pass, those of the kind `request` are about one request, and those of the kind `endpoint` about all of them. */
type FailureKind = "transient" | "request" | "endpoint";

/** Why a model did not answer. The message is a sentence for people, without the API key. */
export class ModelFailure extends Error {
  readonly kind: FailureKind;
  /** When the endpoint wants the next attempt, ms from now. Undefined if it does not say. */
  readonly retryAfterMs: number | undefined;

  constructor(kind: FailureKind, message: string, retryAfterMs?: number) {
    super(message);
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}
