import type { Schema } from "@gatehouse/contract/console";
import { toDate } from "../../common/local-day.ts";
import { UTC } from "../../common/time-zone.ts";
import { DAY_MS } from "../../common/utc-day.ts";

type ReportingSDK = Schema<"ReportingSDK">;

/** Errors of one outcome: a status, or -1 for exceptions that the SDK reported. */
type ReportedErrors = { outcome: number; count: number; lastTime: number; detail: string | null };

/** The sums of what a version of an SDK sent with a key. `version` is empty if it is not known. */
export type SdkReport = Pick<ReportingSDK, "sdk" | "keyID" | "keyDescription" | "keyType" | "environments" | "requests"> & {
  version: string;
  errors: ReportedErrors[];
  /** In UTC, counted from the epoch. */
  firstDay: number;
  /** Ms since the epoch. */
  lastTime: number;
};

/** The SDKs by name, newest version and key. */
export function toReportingSDKs(reports: readonly SdkReport[]): ReportingSDK[] {
  const newest = new Map<string, string>();
  for (const { sdk, version } of reports) {
    if (compareVersions(version, newest.get(sdk) ?? "") > 0) newest.set(sdk, version);
  }
  const sorted = [...reports].sort(
    (a, b) => compareTexts(a.sdk, b.sdk) || compareVersions(b.version, a.version) || compareTexts(a.keyID, b.keyID),
  );
  return sorted.map(({ version, errors, firstDay, lastTime, ...report }) => {
    const latest = newest.get(report.sdk) ?? "";
    return {
      ...report,
      version: version || null,
      newerVersion: version !== "" && compareVersions(latest, version) > 0 ? latest : null,
      errors: [...errors].sort((a, b) => b.count - a.count || b.outcome - a.outcome).map(toErrors),
      firstSeenDate: toDate(firstDay * DAY_MS, UTC),
      lastSeenTime: lastTime,
    };
  });
}

const toErrors = ({ outcome, ...errors }: ReportedErrors): Schema<"SDKErrors"> => ({ status: outcome < 0 ? null : outcome, ...errors });

const compareTexts = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Compares versions part by part. A number is later than a text, and a version is later than its pre-releases. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a.split(/[.+-]/), b.split(/[.+-]/)];
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const order = compareParts(left[index], right[index]);
    if (order !== 0) return order;
  }
  return 0;
}

function compareParts(a: string | undefined, b: string | undefined): number {
  const [rankA, rankB] = [rank(a), rank(b)];
  if (rankA !== rankB) return rankA - rankB;
  if (rankA === 3) return Number(a) - Number(b);
  return rankA === 1 ? compareTexts(a as string, b as string) : 0;
}

/** Of a part: missing in an empty version, a text, missing, a number. */
function rank(part: string | undefined): number {
  if (part === undefined) return 2;
  if (part === "") return 0;
  return /^\d+$/.test(part) ? 3 : 1;
}
