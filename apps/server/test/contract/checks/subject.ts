import { routes } from "@gatehouse/contract/console";
import { entitySlices } from "../../../src/console/kinds.ts";
import { fill, neededQuery, operations, requiredAccess, type SweptOperation } from "../../support/operations.ts";
import { prepare } from "../../support/prepare.ts";
import type { TestServer } from "../../support/server.ts";
import { asPerson } from "../../support/sessions.ts";
import { TEST_SESSION } from "../../support/template-database.ts";

type Answer = Awaited<ReturnType<TestServer["send"]>>;

/** An operation with the entity that its path addresses, which all of its checks share. */
export type Subject = {
  server: TestServer;
  operation: SweptOperation;
  prepared: Awaited<ReturnType<typeof prepare>>;
  /** The headers of the request that succeeds: an Idempotency-Key and an If-Match, if the operation takes them. */
  headers: Record<string, string>;
  /** Sends that request the first time that it is called. @returns its response, and how many changes of the operation it added to the change log */
  succeed(): Promise<{ answer: Answer; changes: number }>;
};

export async function prepareSubject(server: TestServer, operation: SweptOperation): Promise<Subject> {
  const prepared = await prepare(server, operation);
  const { operationId, takesIdempotencyKey } = operation;
  const headers = {
    ...(takesIdempotencyKey && { "Idempotency-Key": `repeat-${operationId}` }),
    ...(declares412(operation) && { "If-Match": await currentETag(server, operation, prepared.fixture?.parameters ?? {}) }),
  };
  const logged = () => server.database.prisma.change.count({ where: { operationID: operationId } });
  const send = async () => {
    const before = await logged();
    const answer = await prepared.send(headers);
    return { answer, changes: (await logged()) - before };
  };
  let sent: ReturnType<typeof send> | undefined;
  const succeed = () => {
    sent ??= send();
    return sent;
  };
  return { server, operation, prepared, headers, succeed };
}

/** Whether an operation declares 412, other than a batch, which declares that of the requests in it. */
export const declares412 = ({ statuses, permission }: SweptOperation) => statuses.includes("412") && permission !== "contained";

/** The ETag of the entity that the operation's path addresses, as reading it returns it. */
async function currentETag(server: TestServer, operation: SweptOperation, parameters: Record<string, string>): Promise<string> {
  // A server administrator reads every project.
  const reader = requiredAccess(operation) === "administrator" ? { key: null, headers: asPerson(TEST_SESSION) } : {};
  const path = readingPath(operation.path);
  const needed = neededQuery(operations.find((one) => one.method === "GET" && one.path === path) ?? { parameters: [] });
  const { headers } = await server.send("GET", `${fill(path, parameters)}?${needed}`, reader);
  return headers.get("ETag") ?? "";
}

/** The path that reads the entity which `path` addresses. */
function readingPath(path: string): string {
  const reads = entitySlices.flatMap(({ operations: { read, readOverrides } }) => [read, ...(readOverrides ? [readOverrides] : [])]);
  const paths = reads.map((read): string => routes[read].path).filter((read) => path === read || path.startsWith(`${read}/`));
  return paths.toSorted((a, b) => b.length - a.length)[0] ?? "";
}
