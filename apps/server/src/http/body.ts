import { createHash } from "node:crypto";
import express, { type Request, type RequestHandler } from "express";
import { AppError, invalid } from "../errors.ts";
import { LARGEST_BODY, mayBeUnstorable, refusalOfUnstorable } from "./body-rules.ts";

type ReadRequest = Request & { mayBeUnstorable?: boolean; bodyHash?: string };

/** Reads a JSON body. One of another type, nested too deeply, or with what cannot be kept as it is (the character U+0000, a number beyond the largest) is refused. */
export function readBody(limit = LARGEST_BODY): RequestHandler {
  const parse = express.json({ limit, strict: false, verify: look });
  return (request, response, next) => {
    requireJson(request);
    parse(request, response, (error?: unknown) => next(error ?? refusal(request)));
  };
}

/** For an operation that takes no body: one that is sent all the same means nothing, and is neither read nor validated. */
export const ignoreBody: RequestHandler = (request, _response, next) => {
  delete request.headers["content-type"];
  next();
};

function requireJson(request: Request): void {
  const type = request.headers["content-type"];
  const isEmpty = request.headers["transfer-encoding"] === undefined && Number(request.headers["content-length"] ?? 0) === 0;
  const isJson = request.is("application/json") && !/charset=(?!"?utf-8)/i.test(type ?? "");
  if (!isEmpty && !isJson) throw new AppError("unsupported_media_type", "The body must be sent as application/json, in UTF-8.");
  // The validator keeps compiled schemas for each content type that it meets: with one spelling they cannot grow without bound.
  request.headers["content-type"] = "application/json";
}

function refusal({ mayBeUnstorable, body }: ReadRequest): AppError | undefined {
  return mayBeUnstorable ? refusalOfUnstorable(body) : undefined;
}

function look(request: unknown, _response: unknown, text: Buffer): void {
  const read = request as ReadRequest;
  read.mayBeUnstorable = mayBeUnstorable(text);
  if (read.headers["idempotency-key"] !== undefined) read.bodyHash = createHash("sha256").update(text).digest("hex");
}

/** Hash of what makes a request that request: a repeat with the same Idempotency-Key must have it too. */
export function fingerprint(request: ReadRequest): string {
  const { method, originalUrl, bodyHash = "" } = request;
  const parts = [method, originalUrl, request.get("If-Match") ?? "", bodyHash];
  return createHash("sha256").update(parts.join("\n")).digest("hex");
}

export const refuseNulInPath: RequestHandler = ({ url }, _response, next) => {
  if (url.includes("%00")) throw invalid([{ property: "path", errorMessage: "must not contain the character U+0000" }]);
  next();
};
