import type { RelayedKeys } from "../../authentication/relayed-keys.ts";
import type { Credentials, KeyScope } from "../../common/context.ts";
import { AppError, forbidden, invalid } from "../../common/errors.ts";
import { DAY_MS, utcDay } from "../../common/utc-day.ts";
import type { EvaluationHandlers } from "../binding.ts";
import { toRulesetScope } from "../compile/ruleset-scope.ts";
import type { EventIntake } from "../events/event-intake.ts";
import type { Rulesets } from "../rulesets/rulesets.ts";
import type { SdkReports } from "../sdk-reports/sdk-reports.ts";

type Reach = Pick<KeyScope, "environments" | "targetApps">;
type RelayHandlers = Pick<EvaluationHandlers, "checkRelayKeys" | "downloadRelayRuleset" | "logRelayEvents">;

/** Requests that a relay counted earlier are counted as if they were this old. */
const MAX_REQUEST_AGE_MS = 2 * DAY_MS;
const KEY_NAMES = ["hash", "id", "token"] as const;

type Services = {
  keys: RelayedKeys;
  rulesets: Pick<Rulesets, "current" | "view" | "viewSince" | "origin">;
  intake: Pick<EventIntake, "logRelayed">;
  sdkReports: Pick<SdkReports, "add">;
};

/** The operations that relays call. They are not part of a relay itself. */
export function createRelayHandlers({ keys, rulesets, intake, sdkReports }: Services): RelayHandlers {
  return {
    async checkRelayKeys({ body, caller }) {
      const { projectID, scope } = caller.credentials;
      const violations = body.keys.flatMap((name, index) =>
        KEY_NAMES.filter((one) => name[one] !== undefined).length === 1
          ? []
          : [{ property: `keys[${index}]`, errorMessage: "must have exactly one of hash, id and token" }],
      );
      if (violations.length > 0) throw invalid(violations);
      const [found, { time }] = await Promise.all([keys.find(projectID, body.keys), rulesets.view(projectID, scope)]);
      const answers = found.map((key) => {
        if (!key) return null;
        const { id, version, type, scopes, environments, targetApps, allowedAddresses, expiresTime } = key;
        const isCovered = covers(scope, key);
        return { id, version, type, scopes, environments, targetApps, allowedAddresses, expiresTime, isCovered };
      });
      return { status: 200, body: { projectID, time, keys: answers } };
    },

    async downloadRelayRuleset({ body, caller }) {
      const { time = 0, checksum, ...reach } = body;
      requireCovered(caller.credentials, reach);
      const view = await latestView(caller.credentials.projectID, { type: "SERVER", ...reach }, time);
      if (checksum === view.checksum) return { status: 200, body: { has_updates: false, time: view.time, checksum } };
      return { status: 200, sendable: view.v1 };
    },

    async logRelayEvents({ body, caller }) {
      const { credentials, now } = caller;
      const { projectID } = credentials;
      for (const batch of body.batches) requireCovered(credentials, batch);
      await Promise.all(
        body.batches.map(async ({ environments, targetApps, ...batch }) => {
          const origin = await rulesets.origin(projectID, { type: "SERVER", environments, targetApps });
          await intake.logRelayed(projectID, batch, origin);
        }),
      );
      for (const { lastTime: given, ...count } of body.requests) {
        const lastTime = Math.min(now, Math.max(given, now - MAX_REQUEST_AGE_MS));
        sdkReports.add({ ...count, projectID, day: utcDay(lastTime), lastTime });
      }
      return { status: 202, body: { success: true } };
    },
  };

  /** The view as of the last change, or as this replica has it while the database is away. */
  async function latestView(projectID: string, scope: KeyScope, time: number) {
    try {
      const { view } = await rulesets.current(projectID, scope);
      return view.time >= time ? view : (await rulesets.viewSince(projectID, scope, time)).view;
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "unavailable") throw error;
      return rulesets.view(projectID, scope);
    }
  }
}

/** @throws AppError forbidden */
function requireCovered({ scope }: Credentials, reach: Reach): void {
  if (!covers(scope, reach)) throw forbidden("a key that covers the environments and target apps of the request");
}

/** Whether `given` includes everything that `reach` includes. An empty list means no limit. */
function covers(given: Reach, reach: Reach): boolean {
  const [outer, inner] = [toRulesetScope(given), toRulesetScope(reach)];
  return (["environments", "targetApps"] as const).every(
    (list) => outer[list].length === 0 || (inner[list].length > 0 && inner[list].every((name) => outer[list].includes(name))),
  );
}
