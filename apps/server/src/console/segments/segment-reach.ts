import { BY_RULES } from "../common/parts-elsewhere.ts";
import type { Segment } from "./segment.ts";

/** Ids have no environments and no fields of their own, so every version of a list counts everywhere. */
export const reachOfSegment = {
  environments: {
    elsewhere: (segment: Segment | null, isGiven: (environment: string) => boolean) =>
      segment && {
        ...BY_RULES.environments.elsewhere(segment, isGiven),
        listVersion: segment.type === "rule_based" ? null : segment.version,
      },
  },
  targetApps: BY_RULES.targetApps,
};
