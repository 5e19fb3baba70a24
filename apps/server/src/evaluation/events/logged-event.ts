import type { WritableSchema } from "@gatehouse/contract/evaluation";
import contract from "@gatehouse/contract/evaluation.json" with { type: "json" };
import type { User } from "@gatehouse/evaluation";
import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import { patternError } from "../../common/pattern-errors.ts";
import { pointerSteps, toPlace } from "../../common/place.ts";
import { isPlausibleTime, TIME_FORMAT, timeError } from "../../common/time-range.ts";
import { type DeviceFields, withDeviceFields } from "../device-fields.ts";
import type { EventOrigin } from "./event-origin.ts";
import { plainName } from "./exposed-names.ts";
import { collectChecks, readSecondaryExposures, type Units } from "./exposure-checks.ts";
import { isStorable } from "./storable.ts";
import { toUserFields } from "./user-fields.ts";

type LoggedEvent = WritableSchema<"LoggedEvent">;

/** An event as it is stored. */
export type EventRow = {
  name: string;
  /** Time of the event, ms since the epoch. */
  time: number;
  /** Identifies repetitions of the event, if the sender gives it. */
  eventID: string | null;
  userID: string;
  /** JSON texts. */
  customIDs: string | null;
  metadata: string;
  value: string;
  environment: string;
  /** For exposures: the gate, dynamic config or experiment, the rule or group, and the gate's value. */
  exposed: string | null;
  ruleID: string | null;
  gateValue: string | null;
  /** A JSON object, see `toUserFields`. */
  userFields: string | null;
  /** For exposures: JSON lists of the gates and holdouts that they depended on, and of `Check`s. Null if empty. */
  secondaryExposures: string | null;
  checks: string | null;
};

/** The known context of an event beside its sender's data. */
export type EventContext = EventOrigin & {
  /** Milliseconds since the epoch, for events without a time. */
  now: number;
  /** Whether fields of users are kept beside their ids. */
  keepsUserFields: boolean;
  /** The fields of the device that sent the event. */
  device?: DeviceFields | undefined;
};

/** The metadata field that has the exposed entity, for each kind of exposure. */
const EXPOSURE_NAME_FIELDS = new Map([
  ["statsig::gate_exposure", "gate"],
  ["statsig::config_exposure", "config"],
  ["statsig::layer_exposure", "allocatedExperiment"],
]);
/** The longest metadata, in characters of JSON. */
const MAX_METADATA_LENGTH = 2 ** 20;
/** Longer names of environments, rules and exposed entities are cut, since they are part of keys. */
const MAX_NAME_LENGTH = 128;

const validate = new Ajv2020({ strict: false, strictNumbers: true })
  .addFormat(TIME_FORMAT, { type: "number", validate: isPlausibleTime })
  .addSchema({ ...contract }, "contract")
  .compile<LoggedEvent>({ $ref: "contract#/components/schemas/LoggedEvent" });

/** The event as it is stored, or why it is rejected. */
export function readEvent(given: unknown, context: EventContext): EventRow | { reason: string } {
  return readWith(given, context, ({ eventName, secondaryExposures }, metadata, units) =>
    exposureIn(eventName, metadata, secondaryExposures, units, context),
  );
}

/**
 * The same for an event that is copied from elsewhere. It counts as an exposure if it names an experiment or dynamic config, and its group
 * or rule.
 */
export function readCopied(given: unknown, now: number, exposed?: { id: string; ruleID: string }): EventRow | { reason: string } {
  const exposure = exposed ? { ...NO_EXPOSURE, exposed: toName(exposed.id), ruleID: toName(exposed.ruleID) } : NO_EXPOSURE;
  return readWith(given, { now, defaultEnvironment: null, keepsUserFields: false }, () => exposure);
}

type Read = Pick<EventContext, "now" | "defaultEnvironment" | "keepsUserFields" | "device">;

function readWith(
  given: unknown,
  context: Read,
  toExposure: (event: LoggedEvent, metadata: Record<string, unknown>, units: Units) => ExposureColumns,
): EventRow | { reason: string } {
  if (!validate(given)) return { reason: toReason(validate.errors?.[0], given) };
  const { eventName, eventID, user, value, time } = given;
  const metadata = given.metadata ?? {};
  if (!isStorable(metadata))
    return { reason: "metadata must have neither U+0000 nor half a surrogate pair, and no number larger than 1.8e308" };
  const text = JSON.stringify(metadata);
  if (text.length > MAX_METADATA_LENGTH) return { reason: "metadata must not be larger than 1 MiB" };
  const units = { userID: String(user?.userID ?? ""), customIDs: toUnits(user?.customIDs) };
  return {
    name: eventName,
    time: Math.floor(time ?? context.now),
    eventID: eventID ?? null,
    userID: units.userID,
    customIDs: units.customIDs && JSON.stringify(units.customIDs),
    metadata: text,
    value: String(value ?? ""),
    environment: readEnvironment(user, context.defaultEnvironment),
    ...toExposure(given, metadata, units),
    userFields: context.keepsUserFields ? toUserFields(withDeviceFields((user ?? {}) as User, context.device)) : null,
  };
}

function toReason({ instancePath, keyword, params, message = "" }: Partial<ErrorObject> = {}, given: unknown): string {
  const place = toPlace(pointerSteps(instancePath ?? ""));
  if (keyword === "required") return `${place ? `${place}.` : ""}${params?.missingProperty} is required`;
  if (keyword === "format") return `time ${timeError((given as { time: number }).time)}`;
  const must = keyword === "type" ? message.replaceAll(",", " or ") : patternError(message);
  return `${place || "an event"} ${must}`;
}

/** The other units as texts, sorted by type, so that equal units have equal JSON. */
function toUnits(customIDs: Record<string, string | number | null> | null | undefined): Record<string, string> | null {
  if (!customIDs) return null;
  const given = Object.entries(customIDs).filter(([type, id]) => id !== null && id !== undefined && id !== "" && !type.includes("\0"));
  if (given.length === 0) return null;
  return Object.fromEntries(given.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([type, id]) => [toName(type), String(id)]));
}

/** The environment that an evaluation for the user uses, in lower case: the tier that the application reports, or else the default. */
export function readEnvironment(user: { [field: string]: unknown } | null | undefined, defaultEnvironment: string | null): string {
  const { tier } = (user?.statsigEnvironment ?? {}) as { tier?: unknown };
  return toName(tier ?? defaultEnvironment).toLowerCase();
}

type ExposureColumns = Pick<EventRow, "exposed" | "ruleID" | "gateValue" | "secondaryExposures" | "checks">;

const NO_EXPOSURE: ExposureColumns = { exposed: null, ruleID: null, gateValue: null, secondaryExposures: null, checks: null };

function exposureIn(
  name: string,
  metadata: Record<string, unknown>,
  secondaryExposures: unknown,
  units: Units,
  origin: EventOrigin,
): ExposureColumns {
  const field = EXPOSURE_NAME_FIELDS.get(name);
  if (field === undefined) return NO_EXPOSURE;
  const given = toName(metadata[field]);
  const exposed = field === "allocatedExperiment" ? plainName(origin, given) : given;
  const ruleID = toName(metadata.ruleID);
  const gateValue = field === "gate" ? toName(metadata.gateValue) : null;
  const secondary = readSecondaryExposures(secondaryExposures, origin, toName);
  const own = gateValue === null || exposed === "" ? [] : [{ gate: exposed, gateValue, ruleID }];
  return {
    exposed: exposed || null,
    ruleID,
    gateValue,
    secondaryExposures: toList(secondary),
    checks: toList(collectChecks([...own, ...secondary], units, origin)),
  };
}

function toList(items: object[]): string | null {
  return items.length === 0 ? null : JSON.stringify(items);
}

/** Turns any value into a text that can be part of a key: of bounded length, and without characters that Postgres rejects. */
function toName(value: unknown): string {
  return String(value ?? "")
    .slice(0, MAX_NAME_LENGTH)
    .replaceAll(/[\p{Cs}\0]/gu, "\uFFFD");
}
