import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

type Message = { role: string; content: string };
type Asked = { path: string; key: string | undefined; body: { model: string; messages: Message[] } & Record<string, unknown> };

/** The answer of a model: its output, or what it does with the response. */
type Answer = (asked: Asked) => string | ((response: ServerResponse) => void);

/** Starts a server that speaks the protocol of chat completions. Its models repeat the last message unless a test says otherwise. */
export async function startModelServer() {
  const asked: Asked[] = [];
  const repeat: Answer = ({ body }) => body.messages.at(-1)?.content ?? "";
  let answer = repeat;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const body = JSON.parse(Buffer.concat(chunks).toString());
      const one = { path: request.url ?? "", key: request.headers.authorization?.replace("Bearer ", ""), body };
      asked.push(one);
      const answered = answer(one);
      if (typeof answered === "function") answered(response);
      else complete(response, answered);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    /** The requests since the last `answer`, the first one first. */
    asked,
    /** Answers from now on like this. */
    answer(next: Answer = repeat) {
      asked.length = 0;
      answer = next;
    },
    close: () => server.close(),
  };
}

export function complete(response: ServerResponse, content: unknown): void {
  response.writeHead(200, { "Content-Type": "application/json" });
  response.end(JSON.stringify({ id: "c1", object: "chat.completion", choices: [{ index: 0, message: { role: "assistant", content } }] }));
}

/** An answer with an error, as OpenAI has it. */
export const failing =
  (status: number, message: string, more: object = {}, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void => {
    response.writeHead(status, { "Content-Type": "application/json", ...headers });
    response.end(JSON.stringify({ error: { message, ...more } }));
  };
