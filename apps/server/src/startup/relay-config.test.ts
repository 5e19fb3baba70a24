import { expect, test } from "vitest";
import { readRelayConfig } from "./relay-config.ts";

const GIVEN = { GATEHOUSE_RELAY_ORIGIN: "https://flags.example.com", GATEHOUSE_RELAY_KEY: "secret-0123456789abcdef" };

test("a relay needs only its origin and its key", () => {
  expect(readRelayConfig(GIVEN)).toEqual({
    ...{ port: 4000, host: "127.0.0.1", origin: "https://flags.example.com", key: "secret-0123456789abcdef", folder: undefined },
    ...{ queueMegabytes: 64, logLevel: "info", logFormat: "auto", trustedProxies: [], publicUrl: undefined },
    ...{ maxStreams: 20_000, maxStreamsPerKey: 20_000, evaluationLimit: "off", eventLimit: "off", cdnMaxAge: "off", stopDelayMs: 0 },
  });
});

test("the origin can be below a path", () => {
  expect(readRelayConfig({ ...GIVEN, GATEHOUSE_RELAY_ORIGIN: "https://example.com/gatehouse/" }).origin).toBe(
    "https://example.com/gatehouse",
  );
});

test("reports all faults together", () => {
  const read = () => readRelayConfig({ GATEHOUSE_RELAY_KEY: "client-0123456789abcdef", GATEHOUSE_RELAY_QUEUE_MB: "0", PORT: "x" });
  expect(read).toThrow(
    expect.objectContaining({
      faults: [
        "PORT must be a whole number from 0 to 65535",
        "GATEHOUSE_RELAY_ORIGIN is required: the URL of the origin server, such as https://flags.example.com",
        "GATEHOUSE_RELAY_KEY must be a server key of the project, which begins with secret-",
        "GATEHOUSE_RELAY_QUEUE_MB must be a whole number from 1 to 1024",
      ],
    }),
  );
});
