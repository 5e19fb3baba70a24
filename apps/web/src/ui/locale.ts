const US = "en-US";

/** How the reader types numbers. */
export const READER_LOCALE: string = typeof navigator === "undefined" ? US : navigator.language;

/** How numbers and times are shown: in the reader's English, or in that of the United States. The console itself is in English. */
export const LOCALE: string = READER_LOCALE.startsWith("en") ? READER_LOCALE : US;
