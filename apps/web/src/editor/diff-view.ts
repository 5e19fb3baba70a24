import { getChunks, goToNextChunk, goToPreviousChunk, MergeView, unifiedMergeView } from "@codemirror/merge";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { reading } from "./setup.ts";

export type DiffOptions = {
  parent: HTMLElement;
  before: { text: string; label: string };
  after: { text: string; label: string };
  isSideBySide: boolean;
  /** Whether stretches without a change are shown too. */
  isWhole: boolean;
  nonce: string | undefined;
};

export type DiffHandle = {
  /** How many parts of the text differ. */
  count: number;
  goTo(direction: "next" | "previous"): void;
  close(): void;
};

/** Exact within these bounds, and coarser beyond them: the page stays responsive for large texts that have little in common. */
const DIFF = { scanLimit: 500, timeout: 200 };
const COLLAPSED = { margin: 3, minSize: 6 };

const theme = EditorView.theme({
  "&": { height: "100%" },
  "&.cm-merge-a .cm-changedLine, & .cm-deletedChunk": { backgroundColor: "var(--bad-surface)" },
  "&.cm-merge-b .cm-changedLine, & .cm-inlineChangedLine": { backgroundColor: "var(--good-surface)" },
  "&.cm-merge-a .cm-changedText, & .cm-deletedChunk .cm-deletedText": {
    background: "none",
    textDecoration: "underline 2px var(--bad-ink)",
    textUnderlineOffset: "3px",
  },
  "&.cm-merge-b .cm-changedText": {
    background: "none",
    textDecoration: "underline 2px var(--good-ink)",
    textUnderlineOffset: "3px",
  },
  "& .cm-deletedChunk": { padding: "0 var(--space-3)" },
  "& .cm-deletedLine, & .cm-deletedLine del": { textDecoration: "none" },
  "& .cm-changeGutter": { width: "1.1rem", padding: "0" },
  "&.cm-merge-a .cm-changedLineGutter, & .cm-deletedLineGutter": { color: "var(--bad-ink)", background: "var(--bad-surface)" },
  "&.cm-merge-b .cm-changedLineGutter": { color: "var(--good-ink)", background: "var(--good-surface)" },
  // Signs too: colours alone would not say which side a line is of.
  "&.cm-merge-a .cm-changedLineGutter::before, & .cm-deletedLineGutter::before": { content: '"−"', paddingLeft: "4px" },
  "&.cm-merge-b .cm-changedLineGutter::before": { content: '"+"', paddingLeft: "4px" },
  "& .cm-collapsedLines": { color: "var(--ink-soft)", background: "var(--surface-sunken)", fontSize: "var(--text-small)" },
  "& .cm-collapsedLines::before, & .cm-collapsedLines::after": { content: '"⋯"' },
});

/** Shows how two texts differ, in two columns or in one. */
export function createDiff(options: DiffOptions): DiffHandle {
  return options.isSideBySide ? sideBySide(options) : unified(options);
}

function sideBySide({ parent, before, after, isWhole, nonce }: DiffOptions): DiffHandle {
  const merge = new MergeView({
    parent,
    a: { doc: before.text, extensions: viewing(before.label, nonce) },
    b: { doc: after.text, extensions: viewing(after.label, nonce) },
    gutter: true,
    diffConfig: DIFF,
    ...(!isWhole && { collapseUnchanged: COLLAPSED }),
  });
  return { count: merge.chunks.length, goTo: (direction) => goTo(merge.b, direction), close: () => merge.destroy() };
}

function unified({ parent, before, after, isWhole, nonce }: DiffOptions): DiffHandle {
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: after.text,
      extensions: [
        viewing(`${before.label}, and ${after.label}`, nonce),
        unifiedMergeView({
          original: before.text,
          mergeControls: false,
          gutter: true,
          diffConfig: DIFF,
          ...(!isWhole && { collapseUnchanged: COLLAPSED }),
        }),
      ],
    }),
  });
  return {
    count: getChunks(view.state)?.chunks.length ?? 0,
    goTo: (direction) => goTo(view, direction),
    close: () => view.destroy(),
  };
}

const viewing = (label: string, nonce: string | undefined): Extension => [
  reading(nonce),
  theme,
  EditorState.readOnly.of(true),
  EditorView.contentAttributes.of({ "aria-label": label, "aria-readonly": "true", tabindex: "0" }),
];

function goTo(view: EditorView, direction: "next" | "previous"): void {
  (direction === "next" ? goToNextChunk : goToPreviousChunk)(view);
  view.focus();
}
