/** The tag of tests that run each night, and not for each change. */
export const NIGHT = "@night";
