export type Sent = { method: string; url: string; headers: Record<string, string>; body: unknown };

type Answer = Response | Error | ((request: Request) => Response | Promise<Response>);

/**
 * A `fetch` that records each `Request`, with its User-Agent apart, and responds from a list, whose last item is repeated. Like the real one, it stops sending after an
 * abort.
 */
export function recorder(...answers: Answer[]) {
  const sent: Sent[] = [];
  const userAgents: (string | undefined)[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    request.signal.throwIfAborted();
    const text = await request.text();
    const { "user-agent": userAgent, ...headers } = Object.fromEntries(request.headers);
    userAgents.push(userAgent);
    sent.push({ method: request.method, url: request.url, headers, body: text === "" ? undefined : JSON.parse(text) });
    const answer = answers[Math.min(sent.length, answers.length) - 1];
    if (answer === undefined) throw new Error("There is no answer to give.");
    if (answer instanceof Error) throw answer;
    return typeof answer === "function" ? answer(request) : answer.clone();
  };
  return { sent, userAgents, fetch };
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json", ...headers } });
}
