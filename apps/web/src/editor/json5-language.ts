import { LanguageSupport, StreamLanguage, type StreamParser, syntaxHighlighting } from "@codemirror/language";
import styles from "./syntax.module.css";

type State = {
  /** The quote of a string, or `*` for a comment, that goes on from the line before. */
  open: '"' | "'" | "*" | null;
  /** How many brackets are open. */
  depth: number;
};

const REST_OF_STRING = { '"': /^(?:[^"\\]|\\.)*/, "'": /^(?:[^'\\]|\\.)*/ };

const parser: StreamParser<State> = {
  name: "json5",
  startState: () => ({ open: null, depth: 0 }),
  copyState: (state) => ({ ...state }),
  token(stream, state) {
    if (state.open === "*") {
      if (stream.skipTo("*/")) {
        stream.match("*/");
        state.open = null;
      } else stream.skipToEnd();
      return "comment";
    }
    if (state.open !== null) return restOfString(state.open);
    if (stream.eatSpace()) return null;
    if (stream.match("//")) {
      stream.skipToEnd();
      return "comment";
    }
    if (stream.match("/*")) {
      state.open = "*";
      return "comment";
    }
    const character = stream.next();
    if (character === '"' || character === "'") return restOfString(character);
    if (character === "{" || character === "[") state.depth += 1;
    if (character === "}" || character === "]") state.depth = Math.max(0, state.depth - 1);
    if (character === undefined || /[{}[\],:]/.test(character)) return character === "," || character === ":" ? "separator" : "bracket";
    stream.eatWhile(/[^\s{}[\]:,"'/]/);
    if (isKey()) return "propertyName";
    return /^(?:true|false|null)$/.test(stream.current()) ? "atom" : "number";

    function restOfString(quote: '"' | "'"): string {
      stream.match(REST_OF_STRING[quote]);
      // A backslash at the end continues the string on the next line.
      const goesOn = stream.eol() === false && stream.peek() === "\\";
      if (goesOn) stream.next();
      else stream.eat(quote);
      state.open = goesOn ? quote : null;
      return isKey() ? "propertyName" : "string";
    }

    function isKey(): boolean {
      return stream.match(/^\s*:/, false) !== null;
    }
  },
  indent: (state, textAfter, context) => (state.depth - (/^\s*[}\]]/.test(textAfter) ? 1 : 0)) * context.unit,
  languageData: {
    commentTokens: { line: "//", block: { open: "/*", close: "*/" } },
    closeBrackets: { brackets: ["{", "[", '"', "'"] },
    indentOnInput: /^\s*[}\]]$/,
  },
};

/** The classes of the parser's names. */
const CLASSES: Record<string, string | undefined> = {
  propertyName: styles.key,
  string: styles.text,
  number: styles.number,
  atom: styles.number,
  comment: styles.comment,
  separator: styles.bracket,
  bracket: styles.bracket,
};

/** Colours and indents JSON5. Line by line, so that a large text stays fluent while its parts change. */
export const json5 = (): LanguageSupport =>
  new LanguageSupport(StreamLanguage.define(parser), [
    syntaxHighlighting({ style: (tags) => tags.map((tag) => CLASSES[tag.toString()]).find((name) => name !== undefined) ?? null }),
  ]);
