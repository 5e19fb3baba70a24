import type { RulesetView } from "../rulesets/views.ts";

/** What the id of an event names: the ruleset as a key saw it. */
export type RulesetVersion = Pick<RulesetView, "time" | "checksum">;

/** As it goes to callers, who give it back as they got it: `1763700042137.Zt0a`. */
export function versionText({ time, checksum }: RulesetVersion): string {
  return `${time}.${checksum}`;
}

/** Undefined for a text that is no version. */
export function readVersion(text: string | undefined): RulesetVersion | undefined {
  const [, time, checksum] = /^(\d{1,15})\.(.+)$/.exec(text ?? "") ?? [];
  return time === undefined || checksum === undefined ? undefined : { time: Number(time), checksum };
}

/** Whether flags may be others than they were at the version. A view from before it comes from a replica that is behind. */
export function isChanged(view: RulesetVersion, since: RulesetVersion): boolean {
  return view.checksum !== since.checksum && view.time >= since.time;
}

type ChangeParameters = { flagConfigEtag?: string | undefined; flagConfigLastModified?: string | undefined };

/** When a caller knows that flags changed, ms: by the `etag` of an event, or else by its `lastModified`, which knows seconds only. */
export function knownChange({ flagConfigEtag, flagConfigLastModified }: ChangeParameters): number {
  const lastModified = flagConfigLastModified ?? "";
  const time = readVersion(flagConfigEtag)?.time ?? (/^\d+$/.test(lastModified) ? Number(lastModified) * 1000 : Date.parse(lastModified));
  return Number.isFinite(time) ? time : 0;
}
