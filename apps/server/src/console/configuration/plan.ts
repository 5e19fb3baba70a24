import type { Schema } from "@gatehouse/contract/console";
import { invalid, type Violation } from "../../common/errors.ts";
import { listConfigured, type Stored, type StoredProject, teamNames } from "./configuration.ts";
import { CONFIGURED, type Configured, type ConfiguredKind, type Entity } from "./configured-kinds.ts";
import { checkUnique, type Desired, readDesired } from "./desired.ts";
import { referencesIn } from "./entity-references.ts";
import { changeRequests, createRequests, environmentRequests, type PlannedRequest, removeRequests } from "./entity-requests.ts";
import { settingsRequests } from "./settings-requests.ts";

export type Given = { configuration: Schema<"Configuration">; prune: boolean };

/** The owner of new entities. Undefined if the project needs none. */
type NewOwner = object | undefined;

/** A change of an entity: the operations that make it. */
export type Step = {
  kind: ConfiguredKind;
  type: string;
  id: string;
  name: string | null;
  action: "create" | "update" | "remove";
  requests: PlannedRequest[];
  /** The place of the entity in the configuration: `gates[3]`. Undefined for one that the configuration lacks. */
  place: string | undefined;
};

/** The most requests of one application. They are executed in one transaction. */
const MAX_REQUESTS = 2_000;

/**
 * The changes that make a project equal to a configuration. Each comes after the changes that it needs: entities after those that they reference,
 * and removals last.
 * @throws AppError invalid_request with the place of each entity that cannot be applied
 */
export function planChanges(project: StoredProject, { configuration, prune }: Given, owner: NewOwner): Step[] {
  const violations: Violation[] = [];
  const kinds = CONFIGURED.filter(({ kind }) => configuration[kind] !== undefined);
  const desired = kinds.flatMap((kind) => readDesired(kind, configuration[kind.kind] as Entity[], teamNames(project), violations));
  if (violations.length > 0) throw invalid(violations);
  const steps = inOrder(desired).flatMap((one) => toStep(one, project, { owner, violations }));
  const [adding, removing] = planEnvironments(configuration.environments as Entity[] | undefined, project);
  const removals = prune ? kinds.flatMap((kind) => planRemovals(kind, desired, project, violations)) : [];
  if (violations.length > 0) throw invalid(violations);
  const removed = inOrder(removals)
    .map(({ step }) => step)
    .reverse();
  const all = [...adding, ...steps, ...removed, ...removing];
  const count = all.reduce((sum, { requests }) => sum + requests.length, 0);
  if (count > MAX_REQUESTS) {
    const [most, needed] = [MAX_REQUESTS, count].map((number) => number.toLocaleString("en"));
    throw invalid([{ property: "configuration", errorMessage: `needs ${needed} requests, more than ${most}. Apply a part of it first` }]);
  }
  return all;
}

type Node = { kind: Configured; id: string; entity: Entity };

const keyOf = (kind: ConfiguredKind, id: string) => `${kind} ${id}`;

/** Entities after those that they reference, otherwise in the order of their kinds. The server refuses a cycle by its names. */
function inOrder<One extends Node>(nodes: One[]): One[] {
  const byKey = new Map(nodes.map((one) => [keyOf(one.kind.kind, one.id), one]));
  const visited = new Set<One>();
  const ordered: One[] = [];
  const visit = (first: One) => {
    // Without recursion: a chain of references can be longer than the stack.
    const stack = [{ node: first, isDone: false }];
    for (let at = stack.pop(); at; at = stack.pop()) {
      if (at.isDone) ordered.push(at.node);
      else if (!visited.has(at.node)) {
        visited.add(at.node);
        stack.push({ node: at.node, isDone: true });
        for (const { kind, id } of referencesIn(at.node.entity)) {
          const referenced = byKey.get(keyOf(kind, id));
          if (referenced && !visited.has(referenced)) stack.push({ node: referenced, isDone: false });
        }
      }
    }
  };
  for (const one of nodes.toSorted((a, b) => a.kind.rank - b.kind.rank)) visit(one);
  return ordered;
}

function toStep(
  { kind, id, entity, place, isLaunched }: Desired,
  project: StoredProject,
  creation: { owner: NewOwner; violations: Violation[] },
): Step[] {
  const { violations } = creation;
  if (kind.noun === null) return [];
  const stored = findStored(kind, id, project);
  checkUnique(kind, { id, place }, project.get(kind.type) ?? [], violations);
  const change = kind.type === "settings" ? settingsRequests : changeRequests;
  const requests = stored
    ? change(kind, { entity, isLaunched, place }, stored, violations)
    : createRequests(kind, { id, entity, isLaunched, place }, creation);
  if (requests.length === 0) return [];
  const name = typeof entity.name === "string" ? entity.name : null;
  return [{ kind: kind.kind, type: kind.type, id, name, action: stored && !stored.isArchived ? "update" : "create", requests, place }];
}

function findStored(kind: Configured, id: string, project: StoredProject): Stored | undefined {
  return (project.get(kind.type) ?? []).find((one) => (kind.ownerType ? one.id : kind.identify(one.entity)) === id);
}

/** The steps that add and change environments, and those that remove the ones that are left out, once nothing names them. */
function planEnvironments(given: Entity[] | undefined, project: StoredProject): [Step[], Step[]] {
  if (given === undefined) return [[], []];
  const [stored] = project.get("environment_set") ?? [];
  const [adding, removing] = environmentRequests(given, stored, teamNames(project));
  const toSteps = (request: PlannedRequest | undefined): Step[] => {
    const named = { kind: "environments", type: "environment_set", id: "environments", name: null, place: "environments" } as const;
    return request ? [{ ...named, action: "update", requests: [request] }] : [];
  };
  return [toSteps(adding), toSteps(removing)];
}

function planRemovals(kind: Configured, desired: Desired[], project: StoredProject, violations: Violation[]): (Node & { step: Step })[] {
  if (kind.noun === null) return [];
  const kept = new Set(desired.flatMap((one) => (one.kind === kind ? [one.id] : [])));
  return listConfigured(project, kind).flatMap((entity) => {
    const id = kind.identify(entity) as string;
    if (kept.has(id) || kind.isPermanent?.(entity)) return [];
    const stored = findStored(kind, id, project) as Stored;
    const requests = removeRequests(kind, id, stored, violations);
    const name = typeof entity.name === "string" ? entity.name : null;
    return [{ kind, id, entity, step: { kind: kind.kind, type: kind.type, id, name, action: "remove", requests, place: undefined } }];
  });
}
