const CONTROL_CHARACTERS = "must not have control characters";
const WHOLE_NUMBER = "must be a whole number with at most 15 digits";
const UNIT_FIELD =
  "must be email, ip, userAgent, country, locale, or appVersion, custom. and a field of the user, or property. with a source and a column";

/** The characters that names of the contract may have besides letters from a to z and digits, as the pattern has them and as people say it. */
const NAMES: readonly (readonly [pattern: string, further: string])[] = [
  ["^[a-zA-Z0-9_\\-. ]*$", ", spaces, underscores, hyphens, and periods"],
  ["^[a-zA-Z0-9_\\- ]*$", ", spaces, underscores, and hyphens"],
  ["^[A-Za-z0-9_ -]*$", ", spaces, underscores, and hyphens"],
  ["^[a-zA-Z0-9_\\-.]*$", ", underscores, hyphens, and periods"],
  ["^[a-zA-Z0-9_-]*$", ", underscores, and hyphens"],
  ["^[a-zA-Z0-9_\\-]*$", ", underscores, and hyphens"],
  ["^[A-Za-z0-9_-]+$", ", underscores, and hyphens"],
  ["^[a-zA-Z0-9_.\\-()/ %:]*$", ", spaces, and the characters _ . - ( ) / % :"],
];

/** The requirement of each pattern in requests of the contract. */
const PATTERN_ERRORS: ReadonlyMap<string, string> = new Map([
  ...NAMES.map(([pattern, further]) => [pattern, `must have only letters from a to z, digits${further}`] as const),
  [
    "^[A-Za-z0-9_][A-Za-z0-9_ -]*$",
    "must have only letters from a to z, digits, spaces, underscores, and hyphens, and must not begin with a space or a hyphen",
  ],
  ["^[a-z_]+$", "must have only lower-case letters from a to z and underscores"],
  ["^[a-z-]+$", "must have only lower-case letters from a to z and hyphens"],
  ["\\S", "must not be blank"],
  ["^[\\x21-\\x7e]+$", "must have only printable ASCII characters, without spaces"],
  ["^[1-9]\\d{0,14}$", `${WHOLE_NUMBER}, greater than 0`],
  ["^(0|[1-9]\\d{0,14})$", WHOLE_NUMBER],
  ["^\\d{1,15}$", WHOLE_NUMBER],
  ["^\\d+$", "must have only digits"],
  ["^(email|ip|userAgent|country|locale|appVersion|custom\\.[\\s\\S]+|property\\.[^.]+\\.[\\s\\S]+)$", UNIT_FIELD],
  ["^((email|ip|userAgent|country|locale|appVersion|custom\\.[\\s\\S]+|property\\.[^.]+\\.[\\s\\S]+)?)$", `${UNIT_FIELD}, or empty`],
  [
    "^(automatic|none|percent|milliseconds|seconds|[A-Z]{3})$",
    "must be automatic, none, percent, milliseconds, seconds, or the code of a currency in capital letters, such as EUR",
  ],
  ["^https?://", "must begin with http:// or https://"],
  ["^[^.]+$", "must not have a period"],
  ["^[0-9a-f]{64}$", "must have 64 hexadecimal digits in lower case"],
  ["^[A-Za-z0-9_-]{43}$", "must have 43 characters of base64url"],
  ["^[\\w@./ -]{1,80}$", "must have 1 to 80 letters from a to z, digits, spaces, and the characters _ @ . / -"],
  ["^[\\w.+-]{0,40}$", "must have at most 40 letters from a to z, digits, and the characters _ . + -"],
  ["^[^\\u0000-\\u001F\\u007F-\\u009F]*$", CONTROL_CHARACTERS],
  ["^[^\\u0000-\\u001F\\u007F-\\u009F]*\\S[^\\u0000-\\u001F\\u007F-\\u009F]*$", `must not be blank, and ${CONTROL_CHARACTERS}`],
  [
    "^[^\\u0000-\\u001F\\u007F-\\u009F\\u00AD\\u061C\\u180E\\u200B-\\u200F\\u2028-\\u202E\\u2060-\\u206F\\uFEFF]*[^\\u0000-\\u001F\\u007F-\\u009F\\u00AD\\u061C\\u180E\\u200B-\\u200F\\u2028-\\u202E\\u2060-\\u206F\\uFEFF\\s][^\\u0000-\\u001F\\u007F-\\u009F\\u00AD\\u061C\\u180E\\u200B-\\u200F\\u2028-\\u202E\\u2060-\\u206F\\uFEFF]*$",
    "must not be blank, and must not have control characters or invisible characters",
  ],
  [
    "^(?=[\\s\\S]*\\S)(?:[^\\u0000-\\u001F\\u007F-\\u009F\\u00AD\\u061C\\u180E\\u200B-\\u200F\\u2028-\\u202E\\u2060-\\u206F\\uFEFF\\uFFF9-\\uFFFB\\uD800-\\uDFFF]|[\\uD800-\\uDBFF][\\uDC00-\\uDFFF])*$",
    "must not be blank, and must not have control characters, invisible characters, or unpaired surrogates",
  ],
  ["^(?:[^\\u0000\\uD800-\\uDFFF]|[\\uD800-\\uDBFF][\\uDC00-\\uDFFF])*$", "must not have the character U+0000 or unpaired surrogates"],
  [
    "^(?:[^\\u0000-\\u001F\\u007F-\\u009F\\uD800-\\uDFFF]|[\\uD800-\\uDBFF][\\uDC00-\\uDFFF])*$",
    "must not have control characters or unpaired surrogates",
  ],
]);

/** The requirement of a pattern. @param message of a validator, `must match pattern "^\d+$"` */
export function patternError(message: string): string {
  const [, pattern = ""] = /^must match pattern "(.*)"$/s.exec(message) ?? [];
  return PATTERN_ERRORS.get(pattern) ?? message;
}
