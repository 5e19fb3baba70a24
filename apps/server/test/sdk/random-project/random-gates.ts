import type { WritableSchema } from "@gatehouse/contract/console";
import { type Call, call } from "./calls.ts";
import type { Random } from "./random.ts";
import type { Named } from "./random-conditions.ts";
import { randomPipeline } from "./random-releases.ts";
import { randomRules } from "./random-rules.ts";
import { COMPANY_IDS, TIERS, USER_IDS } from "./vocabulary.ts";

/** The id types of a project. */
export const UNITS = ["userID", "companyID", "stableID"];

export const TARGET_APPS = ["Web", "Mobile"];

export function randomTargetApps(random: Random): { targetApps?: string[] } {
  return random.chance(0.3) ? { targetApps: [random.pick(TARGET_APPS)] } : {};
}

export function randomGate(random: Random, named: Named, id: string): Call[] {
  const calls = [
    call("createGate", {
      body: {
        id,
        name: id,
        idType: random.pick(UNITS),
        isEnabled: !random.chance(0.1),
        ...(random.chance(0.2) && { disabledEnvironments: random.some(TIERS) }),
        rules: randomRules(random, named, id),
        ...randomTargetApps(random),
      },
    }),
  ];
  if (random.chance(0.3)) calls.push(call("updateGateOverrides", { path: { id }, body: randomOverrides(random) }));
  const step = random.chance(0.2) && random.pick(["launchGate", "disableGate"] as const);
  if (step) calls.push(call(step, { path: { id } }));
  else if (named.hasReleases && random.chance(0.3)) {
    const releasePipelineID = `pipeline_${id}`;
    calls.push(randomPipeline(random, named, releasePipelineID));
    calls.push(call("patchGate", { path: { id }, body: { releasePipelineID } }));
    calls.push(call("patchGate", { path: { id }, body: { rules: randomRules(random, named, id) } }));
  }
  return calls;
}

/** Overrides of a gate or a holdout. No id is in both lists. */
export function randomOverrides(random: Random): WritableSchema<"OverrideListsUpdate"> {
  const users = random.some(USER_IDS);
  const companies = random.some(COMPANY_IDS);
  const at = random.integer(0, users.length);
  return {
    passingUserIDs: users.slice(0, at),
    failingUserIDs: users.slice(at),
    ...(random.chance(0.4) && { passingCustomIDs: companies }),
    ...(random.chance(0.4) && {
      environmentOverrides: [
        { environment: random.pick(TIERS), unitID: "companyID", passingIDs: companies, failingIDs: [] },
        { environment: null, unitID: null, passingIDs: [], failingIDs: [random.pick(USER_IDS)] },
      ],
    }),
  };
}
