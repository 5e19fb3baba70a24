/** The longest value that is shown, in UTF-16 code units. */
export const MAX_VALUE_LENGTH = 100;

/** The name that stands for the environment of a user. */
export const ENVIRONMENT = "statsigEnvironment.tier";

/** The fields of a user that SDKs define. */
export const STANDARD = ["userID", "email", "ip", "userAgent", "country", "locale", "appVersion"] as const;

/** Fields that tell who somebody is, whose values are never shown. */
const PERSONAL: ReadonlySet<string> = new Set(["userid", "email", "ip", "useragent"]);

/** Names count in any case, since rules read fields that way. */
export function isPersonal(name: string): boolean {
  return PERSONAL.has(name.toLowerCase());
}
