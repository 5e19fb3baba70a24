import type { EntityType } from "@gatehouse/contract/console";
import type { Answer } from "./call-operation.ts";
import type { ReadableType } from "./entity-types.ts";
import { change } from "./operation-tools.ts";
import { failure, jsonResult, type ToolResult } from "./results.ts";
import { answerOf, callTool, type Tool } from "./tool.ts";

const DEFAULT_LIMIT = 20;
/** Each stale gate has a request of its own for its code references. */
const MAX_STALE = 20;
/** The most groups of an experiment whose results are compared at once. */
const MAX_COMPARED = 5;

const LIMIT = { type: "integer", minimum: 1, maximum: 100, description: `Maximum number of items. Default: ${DEFAULT_LIMIT}.` };
const PAGE = { type: "integer", minimum: 1, description: "The page, from 1. The result's pagination says how many items there are." };
const READ_FAILED = (answer: Answer): ToolResult => ({ content: [{ type: "text", text: answer.text }], isError: true });

/** Tools for entities of these types. */
export function entityTools(types: readonly ReadableType[]): Tool<never>[] {
  const byType = new Map(types.map((one) => [one.type, one]));
  const find = (type: EntityType) => byType.get(type) as ReadableType;
  const TYPE = { enum: types.map(({ type }) => type), description: "The type of the entity." };

  const listEntities: Tool<{ type: EntityType; search?: string; limit?: number; page?: number; filter?: Record<string, unknown> }> = {
    name: "list_entities",
    title: "List entities",
    description:
      "Lists gates, experiments, metrics, or other entities of a type, with pages. Archived ones are left out unless the filter asks for them.",
    inputSchema: {
      type: "object",
      properties: {
        type: TYPE,
        search: { type: "string", minLength: 1, maxLength: 100, description: "Words in the name, the ID or the description." },
        limit: LIMIT,
        page: PAGE,
        filter: {
          type: "object",
          description: "Other query parameters of the list, see describe_operation of listGates and so on.",
          additionalProperties: true,
        },
      },
      required: ["type"],
      additionalProperties: false,
    },
    isReadOnly: true,
    run({ type, limit = DEFAULT_LIMIT, filter, ...query }, env) {
      return callTool(find(type).list, { query: { ...filter, ...query, limit } }, env);
    },
  };

  const getEntity: Tool<{ type: EntityType; id: string }> = {
    name: "get_entity",
    title: "Get an entity",
    description: "Returns a gate, an experiment, a metric or another entity, with its etag.",
    inputSchema: {
      type: "object",
      properties: {
        type: TYPE,
        id: { type: "string", minLength: 1, maxLength: 250, description: "The ID. Some types have names or email addresses." },
      },
      required: ["type", "id"],
      additionalProperties: false,
    },
    isReadOnly: true,
    run({ type, id }, env) {
      const { get, parameter } = find(type);
      return callTool(get, { path: { [parameter]: id } }, env);
    },
  };

  return [listEntities, getEntity];
}

const explainEvaluation: Tool<{ user: object; entities: object[]; environment?: string }> = {
  name: "explain_evaluation",
  title: "Explain what a user gets",
  description:
    "Evaluates gates, configs, experiments, layers, segments, or holdouts for a user, and explains which rule decided. It logs no exposures.",
  inputSchema: {
    type: "object",
    properties: {
      user: {
        type: "object",
        description: 'The user as SDKs send one, for example {"userID": "alice", "custom": {"plan": "pro"}}.',
        additionalProperties: true,
      },
      entities: {
        type: "array",
        minItems: 1,
        maxItems: 50,
        items: { type: "object", properties: { type: { type: "string" }, id: { type: "string" } }, required: ["type", "id"] },
        description: 'The entities to evaluate, for example [{"type": "gate", "id": "new_checkout"}].',
      },
      environment: { type: "string", minLength: 1, maxLength: 100, description: "The environment, such as production." },
    },
    required: ["user", "entities"],
    additionalProperties: false,
  },
  isReadOnly: true,
  run: ({ user, ...given }, env) => callTool("evaluateUsers", { body: { users: [user], ...given } }, env),
};

const listStaleGates: Tool<{ limit?: number; page?: number }> = {
  name: "list_stale_gates",
  title: "List stale gates",
  description: "Lists gates that seem to be no longer needed, with the reason (typeReason) and the places in code that use each one.",
  inputSchema: {
    type: "object",
    properties: { limit: { ...LIMIT, maximum: MAX_STALE }, page: PAGE },
    additionalProperties: false,
  },
  isReadOnly: true,
  async run({ limit = MAX_STALE, page = 1 }, env) {
    const listed = await answerOf("listGates", { query: { type: "STALE", limit, page } }, env);
    if (listed.status >= 400) return READ_FAILED(listed);
    const { data, pagination } = JSON.parse(listed.text) as { data: Gate[]; pagination: unknown };
    const gates = [];
    for (const { id, name, description, typeReason, isEnabled, ownerID, tags, rules } of data) {
      const references = await answerOf("listCodeReferences", { query: { type: "gate", id, limit: DEFAULT_LIMIT } }, env);
      if (references.status >= 400) return READ_FAILED(references);
      const { data: codeReferences } = JSON.parse(references.text) as { data: unknown };
      gates.push({ id, name, description, typeReason, isEnabled, ownerID, tags, rules: rules.length, codeReferences });
    }
    return jsonResult({ gates, pagination });
  },
};

type Gate = Record<"id" | "name" | "description" | "typeReason", string> & {
  isEnabled: boolean;
  ownerID?: string;
  tags?: string[];
  rules: unknown[];
};

const getExperimentResults: Tool<{ id: string; control?: string; tests?: string[] }> = {
  name: "get_experiment_results",
  title: "Get results of an experiment",
  description: "Compares the groups of an experiment with its control group by each metric: the difference, its interval and the verdict.",
  inputSchema: {
    type: "object",
    properties: {
      id: { type: "string", minLength: 1, maxLength: 250, description: "The ID of the experiment." },
      control: { type: "string", minLength: 1, maxLength: 128, description: "The ID of the control group. Default: the experiment's." },
      tests: {
        type: "array",
        minItems: 1,
        maxItems: MAX_COMPARED,
        items: { type: "string", minLength: 1, maxLength: 128 },
        description: `The IDs of the groups to compare. Default: the others, at most ${MAX_COMPARED}.`,
      },
    },
    required: ["id"],
    additionalProperties: false,
  },
  isReadOnly: true,
  async run({ id, ...given }, env) {
    const found = await answerOf("getExperiment", { path: { id } }, env);
    if (found.status >= 400) return READ_FAILED(found);
    const { data: experiment } = JSON.parse(found.text) as { data: Experiment };
    const { name, hypothesis, status, startTime, duration, groups, controlGroupID, healthCheckStatus } = experiment;
    const control = given.control ?? controlGroupID ?? groups[0]?.id;
    const tests = given.tests ?? groups.map((group) => group.id).filter((group) => group !== control);
    if (!control || tests.length === 0) return failure(`Experiment ${id} needs a control group and another group to compare.`);
    const comparisons = [];
    for (const test of tests.slice(0, MAX_COMPARED)) {
      const results = await answerOf("getExperimentPulseResults", { path: { id }, query: { control, test } }, env);
      if (results.status >= 400) return READ_FAILED(results);
      const { data } = JSON.parse(results.text) as { data: unknown };
      comparisons.push({ control, test, results: data });
    }
    return jsonResult({ experiment: { id, name, hypothesis, status, startTime, duration, groups, healthCheckStatus }, comparisons });
  },
};

type Experiment = Record<"name" | "hypothesis" | "status" | "healthCheckStatus", string> & {
  startTime?: number | null;
  duration?: number | null;
  groups: { id: string }[];
  controlGroupID?: string | null;
};

const estimateImpact: Tool<{ operationId: string; path?: Record<string, string>; body?: unknown; users?: number }> = {
  name: "estimate_impact",
  title: "Estimate the impact of a change",
  description:
    "Evaluates recent users with and without a change, and returns how many would get another value, with examples. It changes nothing.",
  inputSchema: {
    type: "object",
    properties: {
      operationId: { type: "string", description: "The operation that would make the change, such as patchGate or disableGate." },
      path: { type: "object", description: "The parameters in the path, by name.", additionalProperties: { type: ["string", "integer"] } },
      body: { description: "The body of the change." },
      users: { type: "integer", minimum: 1, maximum: 10_000, description: "How many recent users to evaluate. Default: 1,000." },
    },
    required: ["operationId"],
    additionalProperties: false,
  },
  isReadOnly: true,
  run: ({ users = 1_000, ...call }, env) => change.run({ ...call, mode: "dry_run", impactUsers: users }, env),
};

export const jobTools = [explainEvaluation, estimateImpact, listStaleGates, getExperimentResults];
