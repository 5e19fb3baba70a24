import { readUserField, type User } from "@gatehouse/evaluation";

/** The metadata that an SDK reports about itself and its device. */
type Metadata = { readonly [field: string]: unknown } | null | undefined;

/** A field that rules read by `name`, and that SDKs report by one of the names in `sources`. */
type Field = { name: string; sources: readonly string[]; isOfSystem?: boolean };

/** The fields of users that SDKs of mobile apps report as metadata. */
const FIELDS: readonly Field[] = [
  { name: "appVersion", sources: ["appVersion"] },
  { name: "locale", sources: ["locale"] },
  { name: "deviceModel", sources: ["deviceModel", "deviceModelName"] },
  { name: "os_name", sources: ["systemName", "deviceOS"], isOfSystem: true },
  { name: "os_version", sources: ["systemVersion"], isOfSystem: true },
];

export type DeviceFields = readonly (Field & { value: string })[];

/** The fields of a device, as its SDK reports them. Undefined if it reports none. */
export function deviceFields(metadata: Metadata): DeviceFields | undefined {
  if (!metadata) return undefined;
  const fields = FIELDS.flatMap((field) => {
    const value = field.sources.map((source) => metadata[source]).find((given) => typeof given === "string" && given !== "");
    return typeof value === "string" ? [{ ...field, value }] : [];
  });
  return fields.length > 0 ? fields : undefined;
}

/**
 * The user with the fields of their device that they lack. A user agent counts as the operating system and its version. Does not rely on
 * the types of the user's fields.
 */
export function withDeviceFields(user: User, fields: DeviceFields | undefined): User {
  const missing = fields?.filter(({ name, isOfSystem }) => !(isOfSystem && user.userAgent) && readUserField(user, name) === undefined);
  if (!missing || missing.length === 0) return user;
  const filled: User = { ...user };
  const custom: Record<string, unknown> = isObject(user.custom) ? { ...user.custom } : {};
  for (const { name, value } of missing) {
    if (name === "appVersion" || name === "locale") filled[name] = value;
    else custom[name] = value;
  }
  if (Object.keys(custom).length > 0) filled.custom = custom;
  return filled;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
