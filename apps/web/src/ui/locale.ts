const US = "en-US";

/** A browser has it. Not every Node does. */
const { navigator } = globalThis as { navigator?: { language: string } };

/** How the reader types numbers. */
export const READER_LOCALE: string = navigator?.language ?? US;

/** How numbers and times are shown: in the reader's English, or in that of the United States. The console itself is in English. */
export const LOCALE: string = READER_LOCALE.startsWith("en") ? READER_LOCALE : US;
