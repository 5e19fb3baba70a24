// Answers that are read as they arrive. Apart from api.ts, since only exports need them.
import { routes } from "@gatehouse/contract/console";
import { ConsoleApiError, projectClient, type Request } from "./api.ts";

/** The audit log as a stream of lines with one JSON object each. It records that it was exported. @throws ConsoleApiError */
export async function trailLines(
  operationId: "listAuditLogs" | "listInstanceAuditLogs",
  query: Request<"listAuditLogs">["query"],
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const { data, error, response } = await projectClient().raw.GET(routes[operationId].path, {
    params: { query },
    headers: { Accept: "application/x-ndjson" },
    parseAs: "stream",
    signal,
  });
  if (!data) throw new ConsoleApiError(operationId, response, error);
  return data;
}

/**
 * The file of a report. The browser stores a large one on its disk as it arrives. The audit log records the export. @throws ConsoleApiError
 * @param onProgress receives the number of bytes so far
 */
export async function reportFile(
  query: Request<"getReport">["query"],
  { signal, onProgress }: { signal: AbortSignal; onProgress: (bytes: number) => void },
): Promise<Blob> {
  const { data, error, response } = await projectClient().raw.GET(routes.downloadReport.path, {
    params: { query },
    parseAs: "stream",
    signal,
  });
  if (!data) throw new ConsoleApiError("downloadReport", response, error);
  let received = 0;
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(part, controller) {
      received += part.byteLength;
      onProgress(received);
      controller.enqueue(part);
    },
  });
  return new Response((data as unknown as ReadableStream<Uint8Array>).pipeThrough(counting)).blob();
}
