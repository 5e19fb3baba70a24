import { once } from "node:events";
import { Agent, get, type IncomingMessage } from "node:http";
import express from "express";
import { afterEach, describe, expect, test } from "vitest";
import { type Server, serve } from "../../src/startup/serve.ts";

let finish: () => void;
let server: Server;
const agent = new Agent({ keepAlive: true });

/** A server whose response waits for `finish`, with one request in flight. */
async function requestInFlight(): Promise<{ answer: Promise<IncomingMessage> }> {
  let arrived: () => void;
  const arrival = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const app = express().get("/slow", (_request, response) => {
    finish = () => response.send("done");
    arrived();
  });
  server = await serve(app, { host: "127.0.0.1", port: 0 });
  const answer = request("/slow");
  answer.catch(() => {});
  await arrival;
  return { answer };
}

async function request(path: string): Promise<IncomingMessage> {
  const [response] = await once(get(`${server.url}${path}`, { agent }), "response");
  return response.resume();
}

afterEach(() => agent.destroy());

describe("retire", () => {
  test("closes each connection after its next response, and serves new ones", async () => {
    const { answer } = await requestInFlight();
    void server.retire(300_000);
    finish();
    expect((await answer).headers.connection).toBe("close");
    const later = await request("/other");
    expect([later.statusCode, later.headers.connection]).toEqual([404, "close"]);
    await server.drain(0);
  });
});

describe("drain", () => {
  test("finishes the request in flight, accepts no other, and does not wait for idle connections", async () => {
    const { answer } = await requestInFlight();
    // Longer than the test's timeout, since an idle connection would stay open.
    const draining = server.drain(300_000);
    await expect(fetch(`${server.url}/other`)).rejects.toThrow();
    finish();
    expect((await answer).statusCode).toBe(200);
    await draining;
  });

  test("closes connections that are still open after its timeout", async () => {
    const { answer } = await requestInFlight();
    await server.drain(50);
    await expect(answer).rejects.toThrow("socket hang up");
  });
});

describe("serve", () => {
  test("keeps idle connections longer than load balancers do, so that none sends a request into a closing connection", async () => {
    server = await serve(express(), { host: "127.0.0.1", port: 0 });
    expect((await request("/")).headers["keep-alive"]).toBe("timeout=75");
    await server.drain(0);
  });

  test("reports that the address is in use", async () => {
    const first = await serve(express(), { host: "127.0.0.1", port: 0 });
    const port = Number(new URL(first.url).port);
    await expect(serve(express(), { host: "127.0.0.1", port })).rejects.toThrow(
      `listen EADDRINUSE: address already in use 127.0.0.1:${port}`,
    );
    await first.drain(0);
  });
});
