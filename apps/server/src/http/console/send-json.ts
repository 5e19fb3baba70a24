import type { RequestHandler, Response } from "express";
import { toText } from "../../store/change-log/entity-text.ts";
import { endCompressed } from "../common/compress.ts";

/** A body of at least this many characters is large. */
const LARGE_BODY_LENGTH = 16_384;

/** The JSON texts of bodies and of parts of them, so that a body that is both stored and sent is serialized once. */
const texts = new WeakMap<object, string>();

/**
 * Replaces Express's `response.json`. Entities that were read are sent as their stored text, and no hash of the
 * body is computed.
 */
export const sendJson: RequestHandler = (_request, response, next) => {
  response.json = send;
  next();
};

function send(this: Response, answer: object): Response {
  return sendText(this, bodyText(answer));
}

/** Sends a body that is already JSON. */
export function sendText(response: Response, text: string): Response {
  response.setHeader("Content-Type", "application/json; charset=utf-8");
  // A small body goes out in one write with the headers; a large one is encoded once.
  endCompressed(response, text.length < LARGE_BODY_LENGTH ? text : Buffer.from(text));
  return response;
}

/** The JSON text of a body. */
export function bodyText(answer: object): string {
  const known = texts.get(answer);
  if (known !== undefined) return known;
  const members = Object.entries(answer).filter(([, value]) => value !== undefined);
  const text = `{${members.map(member).join(",")}}`;
  texts.set(answer, text);
  return text;
}

/** Marks an object of a body with its JSON text. */
export function withText<T extends object>(part: T, text: string): T {
  texts.set(part, text);
  return part;
}

function member([name, value]: [string, unknown]): string {
  return `${JSON.stringify(name)}:${valueText(value)}`;
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(valueText).join(",")}]`;
  return typeof value === "object" && value !== null ? (texts.get(value) ?? toText(value)) : JSON.stringify(value);
}
