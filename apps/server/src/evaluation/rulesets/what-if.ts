import { hash } from "node:crypto";
import { createEvaluator, type Evaluator, hashID } from "@gatehouse/evaluation";
import type { CompiledRuleset } from "../compile/compiled-ruleset.ts";
import type { Compiler } from "../compile/compiler.ts";
import type { Change } from "../compile/project-state.ts";
import type { Proposal, ProposedLines, ProposedList } from "../previews/proposal.ts";
import { applyLines, environmentState, environmentsIn, type LoadedProject, toChanges } from "./loaded-project.ts";

/** A ruleset and its evaluator. */
export type Evaluated = { ruleset: CompiledRuleset; evaluator: Evaluator };

/**
 * The ruleset as it would be with a proposal. The project is changed and changed back in between, so that only what the proposal affects is
 * compiled. Synchronous: nobody sees the project while it is changed.
 * @returns also whether the compiler can be used on
 * @throws whatever compiling throws; then the compiler cannot be used on
 */
export function evaluatedWith(
  proposal: Proposal,
  loaded: LoadedProject,
  compiler: Compiler,
  now: () => number,
): Evaluated & { isReusable: boolean } {
  const { state, time } = loaded;
  const changes = [...proposal.states.flatMap(toChanges), ...proposal.lists.map(toIDsChange)];
  const reverse = changes.map(({ part, id }): Change => ({ part, id, value: state.project[part].get(id) }));
  const { environments } = state.project;
  const proposed = environmentState(proposal.states);
  let isReusable = true;
  const apply = (changed: Change[], given: typeof environments) => {
    state.setEnvironments(given);
    const fits = compiler.affect(state.apply(changed));
    isReusable &&= fits;
  };
  let ruleset: CompiledRuleset;
  try {
    apply(changes, proposed ? environmentsIn(proposed) : environments);
    ruleset = compiler.compile(time);
  } finally {
    apply(reverse, environments);
  }
  const evaluator = createEvaluator(ruleset, { idLists: listsWith(proposal.lists, loaded, ruleset), now, sha256 });
  return { ruleset, evaluator, isReusable };
}

function toIDsChange(list: ProposedList): Change {
  return { part: "segmentIDs", id: list.id, value: "ids" in list ? list.ids : undefined };
}

/** The hashes of the id lists that a ruleset reads. */
function listsWith(proposed: ProposedList[], loaded: LoadedProject, { idLists }: CompiledRuleset): Record<string, Set<string>> {
  const lists: Record<string, Set<string>> = {};
  for (const name of idLists) {
    const own = proposed.find(({ id }) => id === name);
    lists[name] = own && "lines" in own ? hashesOf(own, loaded) : (loaded.lists.get(name)?.hashes ?? new Set());
  }
  return lists;
}

function hashesOf({ id, lines, isWhole }: ProposedLines, { state, lists }: LoadedProject): Set<string> {
  const inline = state.project.segmentIDs.get(id) ?? [];
  const hashes = new Set(isWhole ? [] : (lists.get(id)?.hashes ?? inline.map(hashID)));
  for (const text of lines) applyLines(hashes, text);
  return hashes;
}

export const sha256 = (text: string) => hash("sha256", text, "hex");
