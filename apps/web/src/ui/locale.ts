/** How numbers and times are written: as the reader's English has it, else as in the United States. The console itself is in English. */
export const LOCALE: string = navigator.language.startsWith("en") ? navigator.language : "en-US";

/** How the reader types numbers. */
export const READER_LOCALE: string = navigator.language;
