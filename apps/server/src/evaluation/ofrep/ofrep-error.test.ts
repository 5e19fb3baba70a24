import { expect, test } from "vitest";
import { AppError, invalid, notFound } from "../../common/errors.ts";
import { toFlagError } from "./ofrep-error.ts";

test("a context without a targeting key has its own error code", () => {
  const error = invalid([{ property: "context.targetingKey", errorMessage: "is required" }]);
  expect(toFlagError(error, { key: "new_checkout" })).toEqual({
    key: "new_checkout",
    errorCode: "TARGETING_KEY_MISSING",
    errorDetails: "context.targetingKey is required.",
  });
});

test.each([
  ["context", "is required"],
  ["context", "must be object"],
  ["context.targetingKey", "must be string"],
  ["context.customIDs.companyID", "must be string or number or null"],
])("a %s that %s is an invalid context", (property, errorMessage) => {
  expect(toFlagError(invalid([{ property, errorMessage }]), {})).toEqual({
    errorCode: "INVALID_CONTEXT",
    errorDetails: `${property} ${errorMessage}.`,
  });
});

test("a body that is not JSON, or not an object, is a parse error", () => {
  const error = new AppError("invalid_request", "The body is not valid JSON.", [{ property: "body", errorMessage: "Unexpected token" }]);
  expect(toFlagError(error, { key: "new_checkout" })).toEqual({
    key: "new_checkout",
    errorCode: "PARSE_ERROR",
    errorDetails: "body Unexpected token.",
  });
});

test("beyond a hundred violations, the message has only their number", () => {
  const error = invalid(Array.from({ length: 101 }, (_, index) => ({ property: `context.a[${index}]`, errorMessage: "must be string" })));
  const errorDetails = expect.stringMatching(/^context\.a\[0] must be string\. .* context\.a\[99] must be string\. And 1 more\.$/);
  expect(toFlagError(error, {})).toEqual({ errorCode: "INVALID_CONTEXT", errorDetails });
});

test("the message names a flag that does not exist", () => {
  expect(toFlagError(notFound("Flag", "a b/c"), { key: "a b/c" })).toEqual({
    key: "a b/c",
    errorCode: "FLAG_NOT_FOUND",
    errorDetails: "Flag a b/c does not exist.",
  });
});

test("every other error is a general one, with its message", () => {
  expect(toFlagError(new AppError("unavailable", "Try again shortly."), {})).toEqual({
    errorCode: "GENERAL",
    errorDetails: "Try again shortly.",
  });
});
