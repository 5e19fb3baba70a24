import type { Schema } from "../../api.ts";

type Version = Schema<"PromptVersion">;

const PARAMETERS = [
  ["Provider", "provider"],
  ["Model", "model"],
  ["Temperature", "temperature"],
  ["Top P", "top_p"],
  ["Frequency penalty", "frequency_penalty"],
  ["Presence penalty", "presence_penalty"],
  ["Maximum tokens", "max_tokens"],
  ["Grading model", "eval_model"],
] as const satisfies readonly (readonly [label: string, field: keyof Version])[];

/** A version as text, so that two can be compared: its parameters, its messages, and its workflow body. */
export function versionText(version: Version): string {
  const { description, prompts, workflow_body: body } = version;
  const parameters = PARAMETERS.flatMap(([label, field]) => (version[field] === undefined ? [] : [`${label}: ${version[field]}`]));
  return [
    ...(description === "" ? [] : [description]),
    ...(parameters.length === 0 ? [] : [parameters.join("\n")]),
    ...prompts.map(({ role, content }) => `[${role}]\n${content}`),
    ...(body === undefined ? [] : [`Workflow body:\n${body.value}`]),
  ].join("\n\n");
}
