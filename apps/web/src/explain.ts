// Explains errors to people. The only place where the server's words become the console's.
import { ConsoleApiError, ReviewRequiredError } from "./api.ts";

/** Types of JSON Schema. */
const TYPES: Readonly<Record<string, string>> = {
  ...{ integer: "a whole number", number: "a number", string: "text in quotes", boolean: "true or false" },
  ...{ array: "a list", object: "an object" },
};

/** The server's words for common violations, and ours. */
const PLAIN: readonly [pattern: RegExp, say: (...found: string[]) => string][] = [
  [/^must NOT have fewer than 1 characters$|^must not be blank$|^is required\b/, () => "Enter a value."],
  [/^must NOT have fewer than (\d+) items$/, (_, count) => `Add at least ${count}.`],
  [/^must NOT have fewer than (\d+ characters)$/, (_, least) => `Use at least ${least}.`],
  [/^must NOT have more than (\d+)( characters| items)$/, (_, count, noun) => `Use at most ${count}${noun === " items" ? "" : noun}.`],
  [/^must be ([<>])= ([\d.-]+)$/, (_, sign, count) => `Use ${count} or ${sign === ">" ? "more" : "less"}.`],
  [/^must be (integer|number|string|boolean|array|object|null) \(schema\)$/, (_, type = "") => `Must be ${TYPES[type] ?? type} (schema).`],
  [/^must have only (.+)$/, (_, characters) => `Use only ${characters}.`],
  [/^must begin with (.+)$/, (_, beginning) => `Start with ${beginning}.`],
  [/^must be an email address$/, () => "Enter a valid email address."],
  [
    /^(.+) cannot be (archived|deleted): it is referenced by (.+?)\.( Use forceArchive to do it anyway\.)?$/,
    (_, entity, fate, users) => `${entity} can’t be ${fate} because it’s in use by ${users}. Remove it there first.`,
  ],
];

/** A violation in plain words. Without better words, the server's are kept. */
export function plainly(errorMessage: string): string {
  for (const [pattern, say] of PLAIN) {
    const found = pattern.exec(errorMessage);
    if (found) return say(...(found as unknown as string[]));
  }
  return `${errorMessage.charAt(0).toUpperCase()}${errorMessage.slice(1)}${/[.!?]$/.test(errorMessage) ? "" : "."}`;
}

/** The violations of a refused request by place, such as `rules[0].name`. In a batch, they don't say which request they belong to. */
export function violationsByPlace(error: unknown): ReadonlyMap<string, string> {
  if (!(error instanceof ConsoleApiError)) return new Map();
  return new Map(
    error.errors.map(({ property, errorMessage }) => [property.replace(/^requests\[\d+\]\.(body\.)?/, ""), plainly(errorMessage)]),
  );
}

/** One sentence for a failure of any kind. */
export function explain(error: unknown): string {
  if (error instanceof ReviewRequiredError) return "This change isn’t live yet: it needs a review. You can find it on the Reviews page.";
  if (!(error instanceof ConsoleApiError))
    return error instanceof TypeError
      ? "Can’t reach the server. Your changes weren’t saved."
      : "Something went wrong on this page. Reload it.";
  if (error.status === 401) return "Your session has ended. Sign in again.";
  if (error.status === 429) return "Too many requests. Wait a moment, then try again.";
  if (error.status === 503) return "The server isn’t ready. Try again in a moment.";
  if (error.status >= 500)
    return `Something went wrong on the server.${error.requestId === undefined ? "" : ` Request ID: ${error.requestId}`}`;
  const text = shortMessage(error);
  return text === "The request is not valid." ? "Fix the highlighted fields and try again." : plainly(text);
}

/** The same for an analysis: its 503 names the part that took too long. */
export const explainAnalysis = (error: unknown): string =>
  error instanceof ConsoleApiError && error.status === 503 ? shortMessage(error) : explain(error);

const shortMessage = ({ message }: ConsoleApiError): string => message.replace(/^\w+: \d{3} /, "").split("\n")[0] ?? "";
