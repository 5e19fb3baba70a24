import type { CheckReply, CheckRequest } from "./check-protocol.ts";
import { schemaFaults } from "./schema-faults.ts";
import { textFaults } from "./text-faults.ts";

// Runs in a web worker, which is terminated if a schema takes too long.

const reply = (message: CheckReply): void => self.postMessage(message);

self.onmessage = ({ data: { id, text, schema, rootKind } }: MessageEvent<CheckRequest>) => {
  reply({ kind: "text", id, faults: textFaults(text, rootKind).faults });
  reply({ kind: "all", id, faults: schemaFaults(text, schema, rootKind) });
};

reply({ kind: "ready" });
