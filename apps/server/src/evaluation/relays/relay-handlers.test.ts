import { expect, test } from "vitest";
import { unavailable } from "../../common/errors.ts";
import { createRelayHandlers } from "./relay-handlers.ts";

type Services = Parameters<typeof createRelayHandlers>[0];
type Call = Parameters<ReturnType<typeof createRelayHandlers>["downloadRelayRuleset"]>[0];

/** Downloads a ruleset from a replica that has one of `time` 5 and cannot read the database, from a moment on or from the start. */
function download(time: number, isAwayAtFirst: boolean) {
  const view = { time: 5, checksum: "five", v1: "text" };
  const current = async () => {
    if (isAwayAtFirst) throw unavailable(new Error("The database is away."));
    return { view };
  };
  const rulesets = { current, view: async () => view, viewSince: async () => ({ view, isLatest: false }) };
  const { downloadRelayRuleset } = createRelayHandlers({ rulesets, keys: { hasReach: async () => true } } as unknown as Services);
  const caller = { credentials: { projectID: "default", scope: { type: "SERVER", environments: [], targetApps: [] } } };
  return downloadRelayRuleset({ body: { environments: [], targetApps: [], time }, caller } as unknown as Call);
}

test.each([true, false])(
  "a relay is not sent back to an older ruleset while the database is away (at first: %s)",
  async (isAwayAtFirst) => {
    expect(await download(5, isAwayAtFirst)).toEqual({ status: 200, sendable: "text" });
    await expect(async () => download(6, isAwayAtFirst)).rejects.toMatchObject({ code: "unavailable" });
  },
);
