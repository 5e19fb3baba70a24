import { createEvaluator, type Evaluator } from "@gatehouse/evaluation";
import type { KeyScope } from "../../common/context.ts";
import type { CompiledRuleset } from "../compile/compiled-ruleset.ts";
import { type Compiler, createCompiler } from "../compile/compiler.ts";
import type { Affected } from "../compile/project-state.ts";
import type { EventOrigin } from "../events/event-origin.ts";
import type { Proposal } from "../previews/proposal.ts";
import type { LoadedProject } from "./loaded-project.ts";
import { computeChecksum, v1Text, v2Text, withoutPrompts } from "./ruleset-text.ts";
import { type Sendable, sendable } from "./sendable.ts";
import { compiledWith, type Evaluated, evaluatedWith, sha256 } from "./what-if.ts";

/** An immutable snapshot of a key's view of its project's ruleset. */
export type RulesetView = {
  ruleset: CompiledRuleset;
  evaluator: Evaluator;
  origin: EventOrigin;
  /** When the ruleset last changed, ms since the epoch by the database's clock. It never decreases between views of a project. */
  time: number;
  /** When this replica read that change, ms since the epoch by its own clock. */
  changedAt: number;
  /** Identifies the content. Equal on every replica. */
  checksum: string;
  /** The responses of `download_config_specs` in both shapes. */
  v1: Sendable;
  v2: Sendable;
  /** The same without prompts, for client keys: whoever opens a page can read what its key reads. */
  public: { v1: Sendable; v2: Sendable };
};

/** The most scopes that are cached for each project. Beyond these, the one that was used longest ago is dropped. */
const MAX_SCOPES = 100;

type Remembered = { compiler: Compiler; view?: RulesetView };

export type Views = {
  /** The view of keys with this scope. */
  of(loaded: LoadedProject, scope: KeyScope): RulesetView;
  /** The same, with a proposal. */
  whatIf(loaded: LoadedProject, scope: KeyScope, proposal: Proposal): Evaluated;
  /** The ruleset that keys with this scope would have with a proposal. */
  compiled(loaded: LoadedProject, scope: KeyScope, proposal: Proposal): CompiledRuleset;
  /** Marks specs as affected by a change. They are recompiled when a view is next requested. */
  affect(affected: Affected): void;
  /** Discards all views, since the project was reloaded. */
  reset(): void;
};

/** Caches the views of one project, one for each scope of its keys. */
export function createViews(now: () => number): Views {
  const scopes = new Map<string, Remembered>();
  const rememberedFor = (loaded: LoadedProject, scope: KeyScope): Remembered => {
    const key = toKey(scope);
    let remembered = scopes.get(key);
    if (!remembered) {
      const [oldest] = scopes.keys();
      if (oldest !== undefined && scopes.size >= MAX_SCOPES) scopes.delete(oldest);
      remembered = { compiler: createCompiler(loaded.state, scope) };
    }
    scopes.delete(key);
    scopes.set(key, remembered);
    return remembered;
  };
  /** Forgets a compiler that cannot be used again. */
  const tried = <Outcome extends { isReusable: boolean }>(
    loaded: LoadedProject,
    scope: KeyScope,
    compile: (compiler: Compiler) => Outcome,
  ): Outcome => {
    const { compiler } = rememberedFor(loaded, scope);
    let isReusable = false;
    try {
      const outcome = compile(compiler);
      ({ isReusable } = outcome);
      return outcome;
    } finally {
      if (!isReusable) scopes.delete(toKey(scope));
    }
  };
  return {
    of(loaded, scope) {
      const remembered = rememberedFor(loaded, scope);
      remembered.view ??= makeView(loaded, remembered.compiler.compile(loaded.time), now);
      return remembered.view;
    },

    whatIf: (loaded, scope, proposal) => tried(loaded, scope, (compiler) => evaluatedWith(proposal, loaded, compiler, now)),

    compiled: (loaded, scope, proposal) => tried(loaded, scope, (compiler) => compiledWith(proposal, loaded, compiler)).ruleset,

    affect(affected) {
      for (const [key, remembered] of scopes) {
        delete remembered.view;
        if (!remembered.compiler.affect(affected)) scopes.delete(key);
      }
    },

    reset() {
      scopes.clear();
    },
  };
}

function toKey({ environments, targetApps }: KeyScope): string {
  if (environments.length === 0 && targetApps.length === 0) return "";
  return JSON.stringify([environments.toSorted(), targetApps.toSorted()]);
}

function makeView({ time, changedAt, lists, state }: LoadedProject, ruleset: CompiledRuleset, now: () => number): RulesetView {
  const named = ruleset.idLists.flatMap((name) => {
    const list = lists.get(name);
    return list ? [[name, list] as const] : [];
  });
  const idLists = Object.fromEntries(named.map(([name, { hashes }]) => [name, hashes]));
  const checksum = computeChecksum(
    ruleset,
    named.map(([name, { version }]) => `${name}:${version}`),
  );
  const origin = { project: state.project, time, defaultEnvironment: ruleset.defaultEnvironment };
  return toView({ ruleset, evaluator: createEvaluator(ruleset, { idLists, now, sha256 }), origin, changedAt, checksum });
}

/** The view of a compiled ruleset. */
export function toView(given: Pick<RulesetView, "ruleset" | "evaluator" | "origin" | "changedAt" | "checksum">): RulesetView {
  const { ruleset, checksum } = given;
  return {
    ...given,
    time: ruleset.time,
    v1: sendable(() => v1Text(ruleset, checksum)),
    v2: sendable(() => v2Text(ruleset, checksum)),
    public: {
      v1: sendable(() => v1Text(withoutPrompts(ruleset), checksum)),
      v2: sendable(() => v2Text(withoutPrompts(ruleset), checksum)),
    },
  };
}
