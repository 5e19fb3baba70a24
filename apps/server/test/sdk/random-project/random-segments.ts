import { type Call, call } from "./calls.ts";
import type { Random } from "./random.ts";
import { type Named, randomSegmentCondition } from "./random-conditions.ts";
import { randomRules } from "./random-rules.ts";
import { COMPANY_IDS, USER_IDS } from "./vocabulary.ts";

/** More ids than a ruleset contains, so that SDKs must download the list's file. */
const LIST_LENGTH = 1_001;

export function randomSegment(random: Random, named: Named, id: string): Call[] {
  if (random.chance(0.5)) {
    const rules = randomRules(random, { ...named, gates: [] }, id, () => ({}), randomSegmentCondition);
    return [call("createSegment", { body: { id, name: id, type: "rule_based", rules } })];
  }
  const isOfCompanies = random.chance(0.3);
  const some = random.some(isOfCompanies ? COMPANY_IDS : USER_IDS);
  const filling = random.chance(0.2) ? random.list(LIST_LENGTH, (index) => `filling ${index}`) : [];
  return [
    call("createSegment", { body: { id, name: id, type: "id_list", idType: isOfCompanies ? "companyID" : "userID" } }),
    call("addSegmentIDs", { path: { id }, body: { ids: [...some, ...filling] } }),
    ...(random.chance(0.3) ? [call("removeSegmentIDs", { path: { id }, body: { ids: some.slice(0, 1) } })] : []),
  ];
}
