import express, { type Request, type RequestHandler } from "express";
import { AppError, invalid, type Violation } from "../errors.ts";
import { findNul, nesting } from "./json-text.ts";

/** The largest body, bytes. */
const LIMIT = 1024 * 1024;
/** The deepest nesting of arrays and objects. Deeper ones would overflow the stack of what walks them. */
const DEEPEST = 100;

type ReadRequest = Request & { mayHoldNul?: boolean };

/** Reads a JSON body. One of another type, nested too deeply, or with the character U+0000 (which Postgres cannot keep) is refused. */
export const readBody: RequestHandler[] = [requireJson, express.json({ limit: LIMIT, strict: false, verify: look }), refuseNul];

function requireJson(...[request, , next]: Parameters<RequestHandler>): void {
  const type = request.headers["content-type"];
  const isEmpty = request.headers["transfer-encoding"] === undefined && Number(request.headers["content-length"] ?? 0) === 0;
  const isJson = request.is("application/json") && !/charset=(?!"?utf-8)/i.test(type ?? "");
  if (!isEmpty && !isJson) throw new AppError("unsupported_media_type", "The body must be sent as application/json, in UTF-8.");
  // The validator keeps compiled schemas for each content type that it meets: with one spelling they cannot grow without bound.
  request.headers["content-type"] = "application/json";
  next();
}

function look(request: unknown, _response: unknown, text: Buffer): void {
  if (nesting(text) > DEEPEST) throw invalid([{ property: "body", errorMessage: `must not be nested more than ${DEEPEST} levels deep` }]);
  (request as ReadRequest).mayHoldNul = text.includes("\\u0000");
}

function refuseNul(...[request, , next]: Parameters<RequestHandler>): void {
  const violations: Violation[] = [];
  if ((request as ReadRequest).mayHoldNul) findNul(request.body, "", violations);
  if (request.url.includes("%00")) violations.push({ property: "path", errorMessage: "must not contain the character U+0000" });
  if (violations.length > 0) throw invalid(violations);
  next();
}
