import type { EvaluatedProject } from "../../console/evaluated-project.ts";
import type { CompiledRuleset } from "./compiled-ruleset.ts";
import type { Compiler } from "./compiler.ts";
import type { Change, ProjectState } from "./project-state.ts";

/** Changes of a project that are tried, and its environments with them. */
export type Trial = { changes: readonly Change[]; environments: EvaluatedProject["environments"] };

/**
 * The ruleset as it would be after changes, at most one for each entity. The project is changed and changed back, so that only affected
 * parts are compiled. Synchronous, so the project in between stays invisible.
 * @returns also whether the compiler is still usable
 * @throws all errors of compiling, which make the compiler unusable
 */
export function compileWith(
  { changes, environments }: Trial,
  state: ProjectState,
  compiler: Compiler,
  time: number,
): { ruleset: CompiledRuleset; isReusable: boolean } {
  const before = state.project.environments;
  const reverse = changes.map(({ part, id }): Change => ({ part, id, value: state.project[part].get(id) }));
  let isReusable = true;
  const apply = (trial: Trial) => {
    state.setEnvironments(trial.environments);
    const fits = compiler.affect(state.apply(trial.changes));
    isReusable &&= fits;
  };
  let ruleset: CompiledRuleset;
  try {
    apply({ changes, environments });
    ruleset = compiler.compile(time);
  } finally {
    apply({ changes: reverse, environments: before });
  }
  return { ruleset, isReusable };
}
