import { operationAt } from "./operations.ts";

/** The fields of a log line that tests read. */
type Line = {
  level: number;
  msg: string;
  operation?: string;
  err?: { stack?: string };
  method?: string;
  path?: string;
  status?: number;
};

const ERROR = 50;

let causes: string[] = [];
let answered = new Set<string>();

/** Receives each line that a test server logs. */
export function readLogLine(text: string): void {
  const { level, msg, operation, err, method = "", path = "", status }: Line = JSON.parse(text);
  if (level >= ERROR) causes.push([operation, msg, err?.stack].filter(Boolean).join("\n"));
  if (msg !== "request") return;
  // A request that is rejected before routing has no operation in the log.
  const operationID = operation === "none" ? operationAt(method, path) : operation;
  if (operationID !== undefined) answered.add(`${operationID} ${status}`);
}

/** The errors that the servers of this test file logged since the last call. */
export function takeCauses(): string[] {
  const taken = causes;
  causes = [];
  return taken;
}

/** The statuses of all responses since the last call, such as `getGate 404`. */
export function takeAnsweredStatuses(): string[] {
  const taken = [...answered];
  answered = new Set();
  return taken;
}
