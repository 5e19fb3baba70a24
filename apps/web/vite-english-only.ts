import type { Plugin } from "vite";

const OTHER_LANGUAGES = /[/\\]react-(aria|stately)(-components)?[/\\].*[/\\]intl[/\\].*[/\\](?!en-US)[a-z]{2}-[A-Z]{2}\.m?js$/;

/** The console is in English. Without this, every component would bring its messages in 34 languages. */
export function englishOnly(): Plugin {
  return {
    name: "gatehouse:english-only",
    apply: "build",
    load(id) {
      return OTHER_LANGUAGES.test(id) ? "export default {};" : undefined;
    },
  };
}
