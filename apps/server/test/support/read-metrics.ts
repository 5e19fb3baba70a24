import type { TestServer } from "./server.ts";

/** The values of a server's metrics, by name and labels as Prometheus writes them: `gatehouse_queue_length{queue="loads"}`. */
type Values = Map<string, number>;

export async function readMetrics({ send }: Pick<TestServer, "send">): Promise<Values> {
  return parseMetrics((await send("GET", "/metrics", { key: null })).text);
}

function parseMetrics(text: string): Values {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ") + 1))]));
}
