import { BY_RULES } from "../common/parts-elsewhere.ts";
import type { Gate } from "./gate.ts";

/** A gate's type says how long it is meant to stay, and any change ends staleness. */
export const reachOfGate = {
  environments: {
    elsewhere(gate: Gate | null, isGiven: (environment: string) => boolean) {
      if (gate === null) return null;
      const { type: _type, ...others } = gate;
      return BY_RULES.environments.elsewhere(others, isGiven);
    },
  },
  targetApps: BY_RULES.targetApps,
};
