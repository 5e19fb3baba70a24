import { newGate } from "./gates.mjs";
import { call } from "./servers.mjs";

/** Makes `gate <from>` up to `gate <to>`, the last not included, sixteen at a time. */
export async function createGates(from, to) {
  let next = from;
  const worker = async () => {
    for (let index = next++; index < to; index = next++)
      await call("POST", "/gates", newGate(`gate ${index}`, ["bench", `tenth ${index % 10}`]));
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}
