import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab, isolateHistory } from "@codemirror/commands";
import { bracketMatching, indentOnInput, indentUnit } from "@codemirror/language";
import { type Diagnostic, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { EditorState, type Extension, Prec } from "@codemirror/state";
import { EditorView, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
import { schemaCompletion } from "./completion.ts";
import { find } from "./find.ts";
import { formatJson5 } from "./json5-format.ts";
import { json5 } from "./json5-language.ts";
import { type Fault, hasPlace } from "./json5-tree.ts";
import { changeBetween } from "./text-change.ts";
import { theme } from "./theme.ts";

/** Extensions of every view of a text: its look, and the nonce without which the browser would drop its styles. */
export const reading = (nonce: string | undefined): Extension => [
  EditorView.cspNonce.of(nonce ?? ""),
  theme,
  lineNumbers(),
  highlightSpecialChars(),
  EditorView.lineWrapping,
  EditorState.tabSize.of(2),
  json5(),
];

/** The additional extensions of an editor. */
export const editing = ({ getSchema, onFormat }: { getSchema: () => unknown; onFormat: (view: EditorView) => boolean }): Extension => [
  // Escape, then Tab, moves the focus, even if Escape has another effect here. This comes before the list of completions, which would keep the key.
  Prec.highest(keymap.of([{ key: "Escape", run: freeTab }])),
  history(),
  indentUnit.of("  "),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  highlightActiveLine(),
  highlightActiveLineGutter(),
  autocompletion({ override: [schemaCompletion(getSchema)], icons: false }),
  find(),
  EditorView.domEventHandlers({ beforeinput: typeOverSelection }),
  keymap.of([
    { key: "Shift-Alt-f", run: onFormat },
    ...closeBracketsKeymap,
    ...completionKeymap,
    ...lintKeymap,
    ...historyKeymap,
    ...defaultKeymap,
    indentWithTab,
  ]),
];

/** Chromium keeps the look of a text that is typed over by an inline style, which the content security policy refuses. */
function typeOverSelection(event: InputEvent, view: EditorView): boolean {
  const { from, to, empty } = view.state.selection.main;
  const { inputType, data, isComposing } = event;
  if (inputType !== "insertText" || data === null || isComposing || empty || view.state.readOnly) return false;
  const insert = () => view.state.update(view.state.replaceSelection(data), { userEvent: "input.type", scrollIntoView: true });
  if (!view.state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, data, insert))) view.dispatch(insert());
  event.preventDefault();
  return true;
}

/** After Escape, Tab moves the focus for this time, ms. */
const FREE_TAB_MS = 3_000;

function freeTab(view: EditorView): boolean {
  view.setTabFocusMode(FREE_TAB_MS);
  return false;
}

/** Replaces the whole text, and undoes as one step. The cursor stays near its place. */
export function replaceText(view: EditorView, text: string): void {
  const changes = changeBetween(view.state.doc.toString(), text);
  if (changes !== null) view.dispatch({ changes, annotations: isolateHistory.of("full") });
}

/** Formats the text. False if it has a fault of its syntax and stays as it is. */
export function format(view: EditorView): boolean {
  const formatted = formatJson5(view.state.doc.toString());
  if (formatted === null) return false;
  replaceText(view, formatted);
  return true;
}

/** Underlines faults at their places. */
export function showFaults(view: EditorView, faults: readonly Fault[]): void {
  const { length } = view.state.doc;
  const diagnostics = faults.filter(hasPlace).map(
    ({ from, to, message, severity }): Diagnostic => ({
      from: Math.min(from, length),
      to: Math.min(to, length),
      message,
      severity,
    }),
  );
  view.dispatch(setDiagnostics(view.state, diagnostics));
}

export function moveTo(view: EditorView, { from }: { from: number }): void {
  const anchor = Math.min(from, view.state.doc.length);
  view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
  view.focus();
}
