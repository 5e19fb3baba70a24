import { hash } from "node:crypto";
import { createEvaluator, type Evaluator, hashID } from "@gatehouse/evaluation";
import { compileWith } from "../compile/compile-with.ts";
import type { CompiledRuleset } from "../compile/compiled-ruleset.ts";
import type { Compiler } from "../compile/compiler.ts";
import type { Change } from "../compile/project-state.ts";
import type { Proposal, ProposedLines, ProposedList } from "../previews/proposal.ts";
import { applyLines } from "../sdk/id-list-file.ts";
import { environmentState, environmentsIn, type LoadedProject, toChanges } from "./loaded-project.ts";

/** A ruleset and its evaluator. */
export type Evaluated = { ruleset: CompiledRuleset; evaluator: Evaluator };

/**
 * The ruleset of a compiler as it would be with a proposal.
 * @returns also whether the compiler is still usable
 * @throws all errors of compiling, which make the compiler unusable
 */
export function evaluatedWith(
  proposal: Proposal,
  loaded: LoadedProject,
  compiler: Compiler,
  now: () => number,
): Evaluated & { isReusable: boolean } {
  const { ruleset, isReusable } = compiledWith(proposal, loaded, compiler);
  const evaluator = createEvaluator(ruleset, { idLists: listsWith(proposal.lists, loaded, ruleset), now, sha256 });
  return { ruleset, evaluator, isReusable };
}

/** The same without an evaluator. */
export function compiledWith(
  { states, lists }: Proposal,
  { state, time }: LoadedProject,
  compiler: Compiler,
): ReturnType<typeof compileWith> {
  const changes = [...states.flatMap(toChanges), ...lists.map(toIDsChange)];
  const proposed = environmentState(states);
  const environments = proposed ? environmentsIn(proposed) : state.project.environments;
  return compileWith({ changes, environments }, state, compiler, time);
}

function toIDsChange(list: ProposedList): Change {
  return { part: "segmentIDs", id: list.id, value: "ids" in list ? list.ids : undefined };
}

/** The hashes of the id lists that a ruleset reads. */
function listsWith(proposed: ProposedList[], loaded: LoadedProject, { idLists }: CompiledRuleset): Record<string, Set<string>> {
  const lists: Record<string, Set<string>> = {};
  for (const name of idLists) {
    const own = proposed.find(({ id }) => id === name);
    lists[name] = own && "lines" in own ? computeHashes(own, loaded) : (loaded.lists.get(name)?.hashes ?? new Set());
  }
  return lists;
}

function computeHashes({ id, lines, isWhole }: ProposedLines, { state, lists }: LoadedProject): Set<string> {
  const inline = state.project.segmentIDs.get(id) ?? [];
  const hashes = new Set(isWhole ? [] : (lists.get(id)?.hashes ?? inline.map(hashID)));
  for (const text of lines) applyLines(hashes, text);
  return hashes;
}

export const sha256 = (text: string) => hash("sha256", text, "hex");
