/** React Native's module as its SDK reads it: an app that stays in the foreground. */
export const AppState = { addEventListener: () => ({ remove: () => undefined }) };
