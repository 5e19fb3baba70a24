import { newGate } from "./gates.mjs";
import { call } from "./servers.mjs";

/** Creates `gate <from>` up to `gate <to>`, exclusive, sixteen at a time. */
export async function createGates(from, to) {
  let next = from;
  const worker = async () => {
    for (let index = next++; index < to; index = next++)
      await call("POST", "/gates", newGate(`gate ${index}`, ["bench", `tenth ${index % 10}`]));
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}
