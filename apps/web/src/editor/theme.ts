import { EditorView } from "@codemirror/view";

/** Wavy underlines in place of CodeMirror's images, which are `data:` URLs and against the content security policy. */
const underlined = (color: string) => ({
  backgroundImage: "none",
  paddingBottom: "0",
  textDecoration: `underline wavy ${color} 1px`,
  textUnderlineOffset: "3px",
});

/** The look of all editors. The colours are the tokens of the console, which follow the theme by themselves. */
export const theme = EditorView.theme({
  "&": { color: "var(--ink)", backgroundColor: "var(--surface)", fontSize: "var(--text)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--font-code)", lineHeight: "1.55", overflow: "auto" },
  ".cm-content": { caretColor: "var(--ink)", padding: "var(--space-2) 0" },
  ".cm-line": { padding: "0 var(--space-3)" },
  ".cm-gutters": { color: "var(--ink-soft)", backgroundColor: "var(--surface)", border: "none" },
  ".cm-lineNumbers .cm-gutterElement": { padding: "0 var(--space-2)", minWidth: "2.25rem" },
  "&.cm-focused .cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--hover) 55%, transparent)" },
  "&.cm-focused .cm-activeLineGutter": { color: "var(--ink)", backgroundColor: "transparent" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "transparent" },
  ".cm-content ::selection, .cm-line::selection": { backgroundColor: "var(--selected)" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--selected)", outline: "1px solid var(--border-strong)" },
  "&.cm-focused .cm-nonmatchingBracket": { backgroundColor: "var(--bad-surface)" },
  ".cm-specialChar": { color: "var(--bad-ink)" },

  ".cm-panels": { color: "var(--ink)", backgroundColor: "var(--surface-sunken)", zIndex: "2" },
  ".cm-panels.cm-panels-top": { borderBottom: "1px solid var(--border)" },
  ".cm-panels.cm-panels-bottom": { borderTop: "1px solid var(--border)" },

  ".cm-tooltip": {
    color: "var(--ink)",
    backgroundColor: "var(--surface-raised)",
    border: "1px solid var(--border)",
    borderRadius: "var(--radius)",
    boxShadow: "var(--shadow-raised)",
    fontFamily: "var(--font)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--font-code)", maxHeight: "16rem" },
  ".cm-tooltip-autocomplete ul li": { padding: "2px var(--space-2) !important" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { color: "var(--ink)", background: "var(--selected)" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "var(--weight-strong)" },
  ".cm-completionDetail": { color: "var(--ink-soft)", fontStyle: "normal", marginLeft: "var(--space-3)" },
  ".cm-completionInfo": { maxWidth: "20rem", padding: "var(--space-2) var(--space-3)" },

  ".cm-lintRange": { backgroundImage: "none" },
  ".cm-lintRange-error": underlined("var(--bad-ink)"),
  ".cm-lintRange-warning": underlined("var(--warn-ink)"),
  ".cm-lintRange-active": { backgroundColor: "var(--hover)" },
  ".cm-lintPoint:after": { borderBottomColor: "var(--bad-ink)" },
  ".cm-lintPoint-warning:after": { borderBottomColor: "var(--warn-ink)" },
  ".cm-diagnostic": { padding: "var(--space-2) var(--space-3)", borderLeft: "none", whiteSpace: "pre-wrap" },
  ".cm-diagnostic-error, .cm-diagnostic-warning": { borderLeft: "none" },

  ".cm-found": { backgroundColor: "var(--warn-surface)", outline: "1px solid var(--border-strong)" },
  ".cm-found-current": { backgroundColor: "var(--selected)", outline: "2px solid var(--focus)" },
});
