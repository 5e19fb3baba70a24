// Time saved by a batch: 100 patches in one batch, compared with 100 single ones, sent one after the other or sixteen at a time.
import { median, medianTime } from "./measure.mjs";
import { call } from "./servers.mjs";

const PATCHES = 100;
const CONNECTIONS = 16;
const ROUNDS = 15;
const WARM_UP_ROUNDS = 10;

/** Patches the first gates, which must exist. */
export async function measureBatch(print) {
  let round = 0;
  const patches = () => {
    round += 1;
    return Array.from({ length: PATCHES }, (_, index) => ({ id: `gate_${index}`, body: { description: `Round ${round}.` } }));
  };
  const patch = ({ id, body }) => call("PATCH", `/gates/${id}`, body);
  const single = async () => {
    for (const one of patches()) await patch(one);
  };
  const simultaneous = async () => {
    const waiting = patches();
    const worker = async () => {
      for (let one = waiting.pop(); one; one = waiting.pop()) await patch(one);
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  };
  const batched = () =>
    call("POST", "/batch", { requests: patches().map(({ id, body }) => ({ operationId: "patchGate", path: { id }, body })) });

  for (let index = 0; index < WARM_UP_ROUNDS; index++) for (const send of [single, simultaneous, batched]) await send();
  const ratios = [];
  for (let index = 0; index < ROUNDS; index++) {
    // In turns, so that a change of the machine's speed meets all.
    const [one, sixteen, whole] = [await medianTime(1, single), await medianTime(1, simultaneous), await medianTime(1, batched)];
    ratios.push({ one: one / whole, sixteen: sixteen / whole });
  }
  const of = (name) => median(ratios, name)[name].toFixed(1);
  print(`a batch of ${PATCHES} patches, against single ones in turn`, of("one"), "≥ 5.0");
  print(`a batch of ${PATCHES} patches, against single ones, 16 at a time`, of("sixteen"), "≥ 1.0");
}
