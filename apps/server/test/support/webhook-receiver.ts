import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

type Received = { path: string; headers: IncomingHttpHeaders; text: string; body: any };

/** Answers a message. Every message gets 204 without it. */
type Answer = (response: ServerResponse, received: Received) => void;

/** Starts a server that webhooks can send to. Each test has its own paths. */
export async function startReceiver() {
  const received: Received[] = [];
  const answers = new Map<string, Answer>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString();
      const one = { path: request.url ?? "", headers: request.headers, text, body: JSON.parse(text) };
      received.push(one);
      const answer = answers.get(one.path);
      if (answer) answer(response, one);
      else response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: (path: string) => `${base}${path}`,
    /** The messages at a path, the first one first. */
    at: (path: string) => received.filter((one) => one.path === path),
    answer: (path: string, answer: Answer) => answers.set(path, answer),
    close: () => server.close(),
  };
}
