import { beforeAll, describe, expect, test } from "vitest";
import { createEvaluator, type Evaluator, type User } from "../../src/index.ts";
import { EVERY_FEATURE, EVERY_FEATURE_V2, ID_LISTS } from "../rulesets/every-feature.ts";
import { EXCEPTIONS, type Exception, type Generation } from "../rulesets/exceptions.ts";
import { USERS } from "../rulesets/users.ts";
import {
  type Answer,
  disputed,
  listSubjects,
  newerAnswer,
  olderAnswer,
  ownAnswer,
  type Subject,
  watchExposures,
} from "../support/sdk-answers.ts";
import { startSdks, toAsked } from "../support/sdks.ts";

// A ruleset with everything that there is, for 500 users, as both generations of official SDKs answer it.

type Dispute = { generation: Generation; subject: Subject; about: string[]; sdk: Answer; own: Answer; user: User };

const subjects = listSubjects(EVERY_FEATURE);
/** Each rule that decided for a user, behind the name of the spec it decided. */
const deciding = new Set<string>();
const disputes: Dispute[] = [];

beforeAll(async () => {
  const watcher = watchExposures();
  const sdks = await startSdks({ v1: EVERY_FEATURE, v2: EVERY_FEATURE_V2, idLists: ID_LISTS }, watcher.callbacks);
  const options = { idLists: ID_LISTS, now: Date.now };
  const own: Record<Generation, Evaluator> = {
    older: createEvaluator(EVERY_FEATURE, options),
    newer: createEvaluator(EVERY_FEATURE_V2, options),
  };
  for (const user of USERS) {
    const asked = toAsked(user);
    for (const subject of subjects) {
      compare("newer", subject, user, newerAnswer(sdks, subject, asked), ownAnswer(own.newer, subject, user));
      // Older SDKs know no param stores.
      if (subject.kind === "store") continue;
      compare("older", subject, user, olderAnswer(sdks, watcher, subject, asked), ownAnswer(own.older, subject, user));
    }
  }
  await sdks.stop();
});

function compare(generation: Generation, subject: Subject, user: User, sdk: Answer, own: Answer): void {
  deciding.add(`${subject.name}: ${own.ruleID}`);
  const about = disputed(sdk, own);
  if (about.length > 0) disputes.push({ generation, subject, about, sdk, own, user });
}

const isExcepted = ({ generation, subject, about }: Dispute, exception: Exception) =>
  exception.generation === generation &&
  exception.names.includes(subject.name) &&
  about.every((one) => exception.about.some((excepted) => excepted === one));

describe("values, rules, groups, exposures, allocated experiments and explicit parameters", () => {
  test.each(["older", "newer"] as const)("equal those of the %s generation, except for known differences", (generation) => {
    const unexpected = disputes.filter(
      (dispute) => dispute.generation === generation && !EXCEPTIONS.some((exception) => isExcepted(dispute, exception)),
    );
    expect(unexpected).toEqual([]);
  });

  test.each(EXCEPTIONS)("$title", (exception) => {
    for (const name of exception.names) {
      expect(disputes.filter((dispute) => dispute.subject.name === name && isExcepted(dispute, exception))).not.toEqual([]);
    }
  });

  test("are decided by every rule for some user, except for rules that never match", () => {
    const specs = [...EVERY_FEATURE.feature_gates, ...EVERY_FEATURE.dynamic_configs].filter(({ enabled }) => enabled);
    const rules = specs.flatMap(({ name, rules }) => rules.map(({ id }) => `${name}: ${id}`));
    expect(rules.filter((rule) => !deciding.has(rule))).toEqual([
      ...["by environment: staging", "by time: over", "of a disabled gate: r", "of a missing gate: r"],
      ...["unsupported: r", "of an unsupported gate: r", "unsupported config: odd", "halves: layerAssignment"],
    ]);
    expect([...deciding]).toEqual(
      expect.arrayContaining(["colours: half", "off: disabled", "page: default", "missing: ", "unsupported: "]),
    );
  });
});
