import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import type { Context } from "../../common/context.ts";
import { conflict, invalid } from "../../common/errors.ts";

export type ModelEndpoint = Schema<"ModelEndpoint">;
type Given = WritableSchema<"ModelEndpointPatch">;

const NOTHING = { url: null, defaultModel: null, keyTime: null };

/** The endpoint of a project that never had one. */
export const NO_ENDPOINT: ModelEndpoint = { ...NOTHING, version: 0 };

/** The effect of a change on the stored API key. */
type KeyChange = "keep" | "forget" | "replace";

/**
 * The endpoint with the given fields changed. A key goes to no other origin than the one that it was given for.
 * @throws AppError invalid_request if it has no URL
 */
export function changeEndpoint(before: ModelEndpoint, given: Given, { now }: Context): { endpoint: ModelEndpoint; key: KeyChange } {
  const { apiKey, url = before.url, defaultModel = before.defaultModel } = given;
  if (url === null) throw invalid([{ property: "url", errorMessage: "is required, since the project has no endpoint yet" }]);
  const hasMoved = before.url !== null && URL.canParse(url) && new URL(url).origin !== new URL(before.url).origin;
  const key: KeyChange = typeof apiKey === "string" ? "replace" : apiKey === null || hasMoved ? "forget" : "keep";
  const keyTime = { keep: before.keyTime, forget: null, replace: now }[key];
  return { endpoint: { url: url.replace(/\/+$/, ""), defaultModel, keyTime, version: before.version + 1 }, key };
}

/** @throws AppError conflict if the project has no endpoint */
export function removeEndpoint(before: ModelEndpoint): ModelEndpoint {
  if (before.url === null) throw conflict("The project has no model endpoint.", "url");
  return { ...NOTHING, version: before.version + 1 };
}
