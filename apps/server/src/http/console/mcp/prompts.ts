/** A prompt of the MCP server. `arguments` are texts. `completes` is the type of entity that the argument names. */
export type Prompt = {
  name: string;
  title: string;
  description: string;
  arguments: { name: string; description: string; required: boolean; completes?: string }[];
  write(given: Record<string, string>): string;
};

const PREVIEW = "Show me the dry run of each change before you request a review or apply it, and wait for my answer.";

export const prompts: Prompt[] = [
  {
    name: "clean_up_stale_gates",
    title: "Clean up stale gates",
    description: "Finds gates that are no longer needed, and prepares their removal from the code and the project.",
    arguments: [{ name: "limit", description: "How many gates to clean up. Default: 5.", required: false }],
    write: ({ limit = "5" }) =>
      [
        `Clean up stale feature gates in Gatehouse. Take at most ${limit} of them.`,
        "1. Call list_stale_gates. For each gate, say why it is stale, and which value users get today.",
        "2. For each place in code that uses a gate, say which branch stays and which can be deleted. Edit the code if you have it here.",
        "3. Check with listReferences that no other entity uses the gate.",
        "4. Once the code no longer uses a gate, archive it: call change with archiveGate. Never delete a gate whose code still runs.",
        PREVIEW,
      ].join("\n"),
  },
  {
    name: "review_experiment",
    title: "Review an experiment",
    description: "Checks the health and the results of an experiment, and recommends a decision.",
    arguments: [{ name: "experiment", description: "The ID of the experiment.", required: true, completes: "experiment" }],
    write: ({ experiment }) =>
      [
        `Review the experiment ${experiment} in Gatehouse.`,
        "1. Call get_experiment_results. If a health check fails, stop and explain it: the results can't be trusted.",
        "2. Compare the time it has run with its planned duration. Before the end, say what can still change.",
        "3. For each primary metric, give the difference with its interval and the verdict. Then look for secondary metrics that got worse.",
        "4. Recommend to launch a group, to continue or to abandon, with your reasons. Use read_docs with use/results if a term is unclear.",
        "5. If I agree, prepare makeExperimentDecision with the tool change.",
        PREVIEW,
      ].join("\n"),
  },
  {
    name: "prepare_rollout",
    title: "Prepare a rollout",
    description: "Plans the gradual rollout of a gate, and estimates its impact.",
    arguments: [
      { name: "gate", description: "The ID of the gate.", required: true, completes: "gate" },
      { name: "environment", description: "The environment. Default: production.", required: false },
    ],
    write: ({ gate, environment = "production" }) =>
      [
        `Prepare the rollout of the gate ${gate} in ${environment} in Gatehouse.`,
        "1. Call get_entity for the gate, and read_docs with use/rollouts.",
        "2. Propose steps with percentages and times, and the guardrail metrics that should stop the rollout.",
        "3. Call describe_operation for patchGate, and write the body of the change.",
        "4. Call estimate_impact with it, and say how many recent users would get another value.",
        PREVIEW,
      ].join("\n"),
  },
];
