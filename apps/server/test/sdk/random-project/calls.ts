import type { ConsoleClient } from "@gatehouse/client";

type OperationID = Exclude<keyof ConsoleClient, "raw" | "schedule">;
type Request<Id extends OperationID> = NonNullable<Parameters<ConsoleClient[Id]>[0]>;

/** A call of the console API that has not been made yet. */
export type Call = { [Id in OperationID]: { operation: Id; request: Request<Id> } }[OperationID];

export function call<Id extends OperationID>(operation: Id, request: Request<Id>): Call {
  return { operation, request } as Call;
}

/** Makes the calls one after the other. */
export async function perform(client: ConsoleClient, calls: Call[]): Promise<void> {
  for (const { operation, request } of calls) await (client[operation] as (request: object) => Promise<unknown>)(request);
}
