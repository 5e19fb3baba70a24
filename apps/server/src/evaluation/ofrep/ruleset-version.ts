import type { RulesetView } from "../rulesets/views.ts";

/** Identifies the ruleset that a key saw. It is the ID of events. */
export type RulesetVersion = Pick<RulesetView, "time" | "checksum">;

/** The version as an opaque text for callers: `1763700042137.Zt0a`. */
export function versionText({ time, checksum }: RulesetVersion): string {
  return `${time}.${checksum}`;
}

/** Parses the text of a version. Undefined if it is not one. */
export function readVersion(text: string | undefined): RulesetVersion | undefined {
  const [, time, checksum] = /^(\d{1,15})\.(.+)$/.exec(text ?? "") ?? [];
  return time === undefined || checksum === undefined ? undefined : { time: Number(time), checksum };
}

/**
 * Whether flags may have changed since a version. A view that is older than the version shows that this replica is behind, not a change.
 */
export function isChanged(view: RulesetVersion, since: RulesetVersion): boolean {
  return view.checksum !== since.checksum && view.time >= since.time;
}

type ChangeParameters = { flagConfigEtag?: string | undefined; flagConfigLastModified?: string | undefined };

/** The time of the change that a caller knows of, ms since the epoch: from an event's `etag`, or else its `lastModified` in seconds. */
export function knownChange({ flagConfigEtag, flagConfigLastModified }: ChangeParameters): number {
  const lastModified = flagConfigLastModified ?? "";
  const time = readVersion(flagConfigEtag)?.time ?? (/^\d+$/.test(lastModified) ? Number(lastModified) * 1000 : Date.parse(lastModified));
  return Number.isFinite(time) ? time : 0;
}
