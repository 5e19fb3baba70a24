import type { Schema } from "@gatehouse/contract/evaluation";
import type { AppError, Violation } from "../../common/errors.ts";
import type { ToErrorBody } from "../binding.ts";

type ErrorCode = Schema<"FlagError">["errorCode"];

/** The body of an error in OFREP's shape. */
export const toFlagError: ToErrorBody = (error, { key }): Schema<"FlagError"> => ({
  ...(key !== undefined && { key }),
  errorCode: toErrorCode(error),
  errorDetails: formatDetails(error),
});

function formatDetails({ message, violations = [], violationCount }: AppError): string {
  const listed = violations.map(({ property, errorMessage }) => `${property} ${errorMessage}.`);
  const more = violationCount - violations.length;
  return [...listed, ...(more > 0 ? [`And ${more} more.`] : [])].join(" ") || message;
}

function toErrorCode({ code, violations = [] }: AppError): ErrorCode {
  if (code === "not_found") return "FLAG_NOT_FOUND";
  if (code !== "invalid_request") return "GENERAL";
  if (violations.some(isMissingTargetingKey)) return "TARGETING_KEY_MISSING";
  return violations.some(({ property }) => /^context\b/.test(property)) ? "INVALID_CONTEXT" : "PARSE_ERROR";
}

function isMissingTargetingKey({ property, errorMessage }: Violation): boolean {
  return property === "context.targetingKey" && errorMessage === "is required";
}
