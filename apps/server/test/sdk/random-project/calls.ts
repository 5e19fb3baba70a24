import type { ConsoleClient } from "@gatehouse/client";

type Operation = Exclude<keyof ConsoleClient, "raw">;
type Request<Id extends Operation> = NonNullable<Parameters<ConsoleClient[Id]>[0]>;

/** A call of the console API that has not been made yet. */
export type Call = { [Id in Operation]: { operation: Id; request: Request<Id> } }[Operation];

export function call<Id extends Operation>(operation: Id, request: Request<Id>): Call {
  return { operation, request } as Call;
}

/** Makes the calls one after the other. */
export async function perform(client: ConsoleClient, calls: Call[]): Promise<void> {
  for (const { operation, request } of calls) await (client[operation] as (request: object) => Promise<unknown>)(request);
}
