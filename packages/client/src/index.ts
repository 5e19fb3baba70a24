export type { components, OperationId, operations, Schema, WritableSchema } from "@gatehouse/contract/console";
export type { BatchableId, BatchItem, BatchMethod, BatchRequest } from "./batch.ts";
export { type ChangeEvent, changes, type ListenOptions, type ResetEvent } from "./changes.ts";
export {
  type ClientOptions,
  type ConsoleClient,
  type ConsoleClientOptions,
  createConsoleClient,
  createEvaluationClient,
  type EvaluationClient,
} from "./clients.ts";
export { ConsoleApiError, type ErrorCode, ReviewRequiredError, type Violation } from "./error.ts";
export { pages } from "./pages.ts";
export type { RetryOptions } from "./retry.ts";
