import type { EvaluationHandlers } from "../binding.ts";

/** The most characters of an exception that are stored. */
const MAX_LENGTH = 200;

export const exceptionHandlers = {
  async logException({ body, caller, headers, sdkReports }) {
    const { exception, tag, statsigMetadata } = body;
    const { credentials } = caller;
    const where = printable(tag ? `${exception} in ${tag}` : exception);
    sdkReports.count(credentials, { headers, metadata: statsigMetadata ?? body, isOfrep: false }, { exception: where });
    return { status: 202, body: { success: true } };
  },
} satisfies Partial<EvaluationHandlers>;

/** The text without control characters and halves of characters, which a database can't store. */
function printable(text: string): string {
  return text.slice(0, MAX_LENGTH).replaceAll(/[\p{Cc}\p{Cs}]/gu, " ");
}
