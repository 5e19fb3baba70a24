import type { ConsoleClient } from "@gatehouse/client";

type OperationID = Exclude<keyof ConsoleClient, "raw" | "schedule">;
type Request<Id extends OperationID> = NonNullable<Parameters<ConsoleClient[Id]>[0]>;

/** A call of the console API that has not been made yet. */
export type Call = { [Id in OperationID]: { operation: Id; request: Request<Id> } }[OperationID];

export function call<Id extends OperationID>(operation: Id, request: Request<Id>): Call {
  return { operation, request } as Call;
}

type Made = { body?: { name?: string; releasePipelineID?: string | null } };

/** Makes the calls one after the other. They reference release pipelines, whose ids the server generates, by their names. */
export async function perform(client: ConsoleClient, calls: Call[]): Promise<void> {
  const pipelines = new Map<string | undefined, string>();
  for (const { operation, request } of calls) {
    const { body } = request as Made;
    const named = body?.releasePipelineID && { body: { ...body, releasePipelineID: pipelines.get(body.releasePipelineID) } };
    const answer = await (client[operation] as (request: object) => Promise<{ data: { id: string } }>)({ ...request, ...named });
    if (operation === "createReleasePipeline") pipelines.set(body?.name, answer.data.id);
  }
}
