import type { RulesetV1 } from "@gatehouse/evaluation";
import type { KeyScope } from "../../context.ts";
import type { EvaluatedProject } from "./evaluated-project.ts";

export type Compiler = {
  /**
   * What a key with this scope gets of the project. Deterministic: equal projects make equal rulesets. What is made from the same objects as
   * before is the same object as before.
   * @param time when the project last changed, ms
   */
  compile(project: EvaluatedProject, scope: KeyScope, time: number): RulesetV1;
};
