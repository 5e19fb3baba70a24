import type { Violation } from "../../common/errors.ts";

/** The beginning of the names under which SDKs read prompts and their versions. */
export const PROMPT_PREFIX = "prompt:";

/** Refuses a name that SDKs read a prompt by. */
export function checkNoPromptName(name: string, violations: Violation[]): void {
  if (name.startsWith(PROMPT_PREFIX))
    violations.push({ property: "name", errorMessage: `must not begin with ${PROMPT_PREFIX}, since SDKs read prompts by such names` });
}
