import type { RelayedKeys } from "../../authentication/relayed-keys.ts";
import type { Credentials, KeyScope } from "../../common/context.ts";
import { AppError, forbidden, invalid, unavailable } from "../../common/errors.ts";
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

/** The fields of a key that a relay cannot serve. The relay learns only that it cannot. */
const WITHHELD = { scopes: [], environments: [], targetApps: [], allowedAddresses: [] };

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
          : [{ property: `keys[${index}]`, errorMessage: "must have exactly one of hash, id, and token" }],
      );
      if (violations.length > 0) throw invalid(violations);
      const [found, { time }] = await Promise.all([keys.find(projectID, body.keys), rulesets.view(projectID, scope)]);
      const answers = found.map((key) => {
        if (!key) return null;
        const { id, version, type, scopes, environments, targetApps, allowedAddresses, expiresTime } = key;
        const common = { id, version, type, expiresTime };
        if (!covers(scope, key)) return { ...common, ...WITHHELD, isCovered: false };
        return { ...common, scopes, environments, targetApps, allowedAddresses, isCovered: true };
      });
      return { status: 200, body: { projectID, time, keys: answers } };
    },

    async downloadRelayRuleset({ body, caller }) {
      const { time = 0, checksum, ...reach } = body;
      const { projectID } = caller.credentials;
      requireCovered(caller.credentials, reach);
      // Otherwise a caller could have any number of rulesets compiled.
      if (!(await keys.hasReach(projectID, reach))) throw forbidden("a key with exactly these environments and target apps in the project");
      const view = await latestView(projectID, { type: "SERVER", ...reach }, time);
      if (checksum === view.checksum) return { status: 200, body: { has_updates: false, time: view.time, checksum } };
      return { status: 200, sendable: view.v1 };
    },

    async logRelayEvents({ body, caller }) {
      const { credentials, now } = caller;
      const { projectID } = credentials;
      for (const batch of body.batches) requireCovered(credentials, batch);
      const coveredKeys = await findCovered(
        credentials,
        body.requests.map(({ keyID }) => keyID),
      );
      await Promise.all(
        body.batches.map(async ({ environments, targetApps, ...batch }) => {
          const origin = await rulesets.origin(projectID, { type: "SERVER", environments, targetApps });
          await intake.logRelayed(projectID, batch, origin);
        }),
      );
      for (const { lastTime: given, ...count } of body.requests) {
        if (!coveredKeys.has(count.keyID)) continue;
        const lastTime = Math.min(now, Math.max(given, now - MAX_REQUEST_AGE_MS));
        sdkReports.add({ ...count, projectID, day: utcDay(lastTime), lastTime });
      }
      return { status: 202, body: { success: true } };
    },
  };

  /** The IDs of the active keys that the relay can serve, among the given ones. */
  async function findCovered({ projectID, scope }: Credentials, ids: string[]): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    const distinct = Array.from(new Set(ids), (id) => ({ id }));
    const found = await keys.find(projectID, distinct);
    return new Set(found.flatMap((key) => (key && covers(scope, key) ? [key.id] : [])));
  }

  /**
   * The view as of the last change, or as this replica has it while the database is away.
   * @throws AppError unavailable if the view of this replica is older than that of the relay, which keeps its own
   */
  async function latestView(projectID: string, scope: KeyScope, time: number) {
    try {
      const { view } = await rulesets.current(projectID, scope);
      if (view.time >= time) return view;
      const since = await rulesets.viewSince(projectID, scope, time);
      if (since.isLatest || since.view.time >= time) return since.view;
      throw unavailable(new Error("The database did not answer."));
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "unavailable") throw error;
      const view = await rulesets.view(projectID, scope);
      if (view.time < time) throw error;
      return view;
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
