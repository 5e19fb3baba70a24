import type { Violation } from "../common/errors.ts";

/** Neighboring keys of a keyboard, letters and digits in order. */
const RUNS = ["abcdefghijklmnopqrstuvwxyz", "01234567890", "09876543210", "qwertyuiopasdfghjklzxcvbnm", "qwertzuiopasdfghjklyxcvbnm"];
/** A repeated part must be longer to count. */
const MIN_REPEATED_LENGTH = 6;
const PRODUCT = "gatehouse";

/** The faults of a new password, beside its length. `email` is the person's. */
export async function checkPassword(password: string, email: string): Promise<Violation[]> {
  const [account = ""] = email.split("@");
  const names = [email, account, PRODUCT];
  const common = await commonPasswords();
  const isWeak = listVariants(password).some((one) => names.includes(one) || common.has(one) || RUNS.some((run) => run.includes(one)));
  return isWeak ? [{ property: "password", errorMessage: "is a common password, a name, or a variation of one" }] : [];
}

/** The variants of a password: without capitals, repetition, and additions before and after a word. */
function listVariants(password: string): string[] {
  const plain = password.normalize("NFKC").toLowerCase();
  const word = plain.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
  const [, repeated = plain] = /^(.+?)\1+.?$/u.exec(plain) ?? [];
  return [plain, word, ...(repeated.length < MIN_REPEATED_LENGTH ? [RUNS[0] as string] : [repeated])];
}

let loading: Promise<ReadonlySet<string>> | undefined;

/** Some 50,000 passwords, loaded when the first person chooses one. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  loading ??= import("@zxcvbn-ts/language-common").then(({ dictionary }) => new Set(dictionary["passwords-common"] as string[]));
  return loading;
}
