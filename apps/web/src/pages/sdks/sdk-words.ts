// Errors of SDKs, in words. Pure.
import type { Schema } from "../../api.ts";
import { counted, exact } from "../../charts/format.ts";

type Errors = Schema<"SDKErrors">;

const MEANINGS: Readonly<Record<number, string>> = {
  400: "invalid",
  403: "forbidden",
  404: "not found",
  413: "too large",
  429: "over the limit",
  500: "failed",
  503: "unavailable",
};

/** The errors of one kind: `12 × 403 forbidden` */
function describeErrors({ status, count }: Errors): string {
  if (status === null) return counted(count, "exceptions");
  const meaning = MEANINGS[status];
  return `${exact(count)} × ${status}${meaning === undefined ? "" : ` ${meaning}`}`;
}

/** All errors of an SDK in one line, with the last exception. */
export const describeAllErrors = (errors: readonly Errors[]): string =>
  errors.map((one) => (one.detail === null ? describeErrors(one) : `${describeErrors(one)} (${one.detail})`)).join(", ");
