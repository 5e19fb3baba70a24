import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import type { Context } from "../../common/context.ts";
import { conflict, invalid, notFound, type Violation } from "../../common/errors.ts";
import { newID, randomID } from "../../common/identifier.ts";
import type { CheckSchema } from "../../schema-checks/schema-check.ts";
import { namedLabels, namedOne } from "../common/named.ts";
import { created, modified } from "../common/stamp.ts";
import type { Reference } from "../reference.ts";
import { checkGraders, checkSchemas } from "./graders.ts";

export type Prompt = Schema<"Prompt">;
export type PromptVersion = Schema<"PromptVersion">;
type PromptCreate = WritableSchema<"PromptCreate">;
type PromptPatch = WritableSchema<"PromptPatch">;
type PromptVersionCreate = WritableSchema<"PromptVersionCreate">;

const DEFAULTS = {
  description: "",
  idType: "userID",
  targetApps: [],
  holdoutIDs: [],
  tags: [],
  team: null,
  teamID: null,
  evaluation: null,
  liveVersionID: null,
  versions: [],
} satisfies Partial<Prompt>;

/** The place of the graders in a request. */
const GRADERS = "evaluation.graders";

const MAX_VERSIONS = 50;
/** Of all versions of a prompt together, in characters of JSON: every server and every SDK keeps them in memory. */
const MAX_TEXT = 500_000;

/** Creates a prompt. Only the name is required. @throws AppError invalid_request if its evaluation cannot be as given */
export function newPrompt(given: PromptCreate, context: Context): Prompt {
  requireEvaluation(given.evaluation);
  return { id: newID("prompt", given), displayName: given.name, ...DEFAULTS, ...created(context), ...given };
}

/**
 * The prompt with the given fields changed.
 * @throws AppError invalid_request if it has no version with the given id, or its evaluation cannot be as given
 */
export function changePrompt(prompt: Prompt, given: PromptPatch, context: Context): Prompt {
  const { liveVersionID } = given;
  if (liveVersionID && !findVersion(prompt, liveVersionID))
    throw invalid([{ property: "liveVersionID", errorMessage: `is not a version of the prompt ${prompt.id}` }]);
  requireEvaluation(given.evaluation);
  return { ...prompt, ...given, ...modified(prompt, context) };
}

function requireEvaluation(evaluation: Prompt["evaluation"]): void {
  const violations: Violation[] = [];
  checkGraders(evaluation?.graders ?? [], GRADERS, violations);
  if (violations.length > 0) throw invalid(violations);
}

/** The same prompt. @throws AppError invalid_request if a grader has a JSON Schema that is not one */
export async function requireSchemas(prompt: Prompt, check: CheckSchema): Promise<Prompt> {
  const violations = await checkSchemas(prompt.evaluation?.graders ?? [], GRADERS, check);
  if (violations.length > 0) throw invalid(violations);
  return prompt;
}

/** The old version as a new one, with the current holdouts. */
export function restorePrompt(prompt: Prompt, old: Prompt, context: Context): Prompt {
  return { ...old, holdoutIDs: prompt.holdoutIDs, ...modified(prompt, context) };
}

/**
 * Adds a version, which is a candidate unless the request makes it live.
 * @throws AppError conflict if the name is taken or the prompt has too many versions; invalid_request if the versions get too long
 */
export function addVersion(
  prompt: Prompt,
  { isLive = false, ...given }: PromptVersionCreate,
  context: Context,
): { prompt: Prompt; version: PromptVersion } {
  const before = prompt.versions ?? [];
  requireJSON(given);
  if (before.some(({ name }) => name === given.name)) throw conflict(`Prompt ${prompt.id} has a version ${given.name} already.`, "name");
  if (before.length >= MAX_VERSIONS)
    throw conflict(`Prompt ${prompt.id} has ${MAX_VERSIONS} versions, which is the maximum. Delete a candidate first.`);
  const { actor, now } = context;
  const version: PromptVersion = {
    ...{ id: randomID(), description: "", prompts: [] },
    ...given,
    ...{ createdTime: now, creatorID: actor.id, creatorName: actor.name },
  };
  const versions = [...before, version];
  if (JSON.stringify(versions).length > MAX_TEXT)
    throw invalid([{ property: "body", errorMessage: `makes the versions of the prompt longer than ${MAX_TEXT} characters` }]);
  const live = isLive ? { liveVersionID: version.id } : {};
  return { prompt: { ...prompt, versions, ...live, ...modified(prompt, context) }, version };
}

function requireJSON({ workflow_body: body }: PromptVersionCreate): void {
  if (body === undefined) return;
  try {
    JSON.parse(body.value);
  } catch {
    throw invalid([{ property: "workflow_body.value", errorMessage: "must be JSON" }]);
  }
}

/** Removes a candidate. @throws AppError not_found if it does not exist; conflict if it is live */
export function removeVersion(prompt: Prompt, versionID: string, context: Context): Prompt {
  const { name } = requireVersion(prompt, versionID);
  if (prompt.liveVersionID === versionID) throw conflict(`Version ${name} is live. Make another version live first.`, "versionID");
  const versions = (prompt.versions ?? []).filter(({ id }) => id !== versionID);
  return { ...prompt, versions, ...modified(prompt, context) };
}

/** @throws AppError not_found */
export function requireVersion(prompt: Prompt, versionID: string): PromptVersion {
  const version = findVersion(prompt, versionID);
  if (!version) throw notFound("Prompt version", versionID);
  return version;
}

const findVersion = ({ versions = [] }: Prompt, versionID: string) => versions.find(({ id }) => id === versionID);

/** The prompt's references. */
export function namedByPrompt(prompt: Prompt): Reference[] {
  return [...namedLabels(prompt), ...namedOne("prompt_dataset", prompt.evaluation?.datasetID, "evaluation.datasetID")];
}
