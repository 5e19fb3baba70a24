import { type Extension, Prec, StateEffect, StateField, type Transaction } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, keymap, type Panel, showPanel } from "@codemirror/view";
import styles from "./find.module.css";
import { findMatches, MAX_MATCHES, type Match, matchFrom } from "./find-matches.ts";

type Find = { isOpen: boolean; sought: string; matches: Match[] };

const setFind = StateEffect.define<{ isOpen?: boolean; sought?: string }>();

const findField = StateField.define<Find>({
  create: () => ({ isOpen: false, sought: "", matches: [] }),
  update(find, transaction) {
    const change = findChange(transaction);
    if (change === undefined && !(find.isOpen && transaction.docChanged)) return find;
    const { isOpen, sought } = { ...find, ...change };
    return { isOpen, sought, matches: isOpen ? findMatches(transaction.newDoc.toString(), sought) : [] };
  },
  provide: (field) => [
    showPanel.from(field, ({ isOpen }) => (isOpen ? createPanel : null)),
    EditorView.decorations.compute([field, "selection"], (state) => {
      const { from, to } = state.selection.main;
      return marked(state.field(field).matches, (match) => match.from === from && match.to === to);
    }),
  ],
});

const findChange = ({ effects }: Transaction) => effects.find((effect) => effect.is(setFind))?.value;

function marked(matches: readonly Match[], isCurrent: (match: Match) => boolean): DecorationSet {
  return Decoration.set(
    matches.map((match) => Decoration.mark({ class: isCurrent(match) ? "cm-found-current" : "cm-found" }).range(match.from, match.to)),
  );
}

/** Opens the panel with the selected text, or moves the focus to it. */
export function openFind(view: EditorView): boolean {
  const { from, to } = view.state.selection.main;
  const selected = view.state.sliceDoc(from, to);
  const isUseful = selected !== "" && !selected.includes("\n");
  view.dispatch({ effects: setFind.of({ isOpen: true, ...(isUseful && { sought: selected }) }) });
  const input = view.dom.querySelector<HTMLInputElement>(`.${styles.input}`);
  input?.focus();
  input?.select();
  return true;
}

function closeFind(view: EditorView): boolean {
  if (!view.state.field(findField).isOpen) return false;
  view.dispatch({ effects: setFind.of({ isOpen: false }) });
  view.focus();
  return true;
}

function move(view: EditorView, isBackward: boolean): boolean {
  const { isOpen, matches } = view.state.field(findField);
  const match = matches[matchFrom(matches, view.state.selection.main, isBackward)];
  if (!isOpen || match === undefined) return isOpen;
  const selection = { anchor: match.from, head: match.to };
  view.dispatch({ selection, effects: EditorView.scrollIntoView(match.from, { y: "center" }) });
  return true;
}

function createPanel(view: EditorView): Panel {
  const dom = document.createElement("search");
  dom.className = styles.find ?? "";
  const input = document.createElement("input");
  input.className = styles.input ?? "";
  input.type = "text";
  input.setAttribute("aria-label", "Find in the text");
  input.placeholder = "Find";
  input.value = view.state.field(findField).sought;
  const count = document.createElement("span");
  count.className = styles.count ?? "";
  count.setAttribute("role", "status");

  input.oninput = () => view.dispatch({ effects: setFind.of({ sought: input.value }) });
  dom.onkeydown = (event) => {
    if (event.key === "Escape") closeFind(view);
    else if (event.key === "Enter" && event.target === input) move(view, event.shiftKey);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  dom.append(
    input,
    count,
    button("Previous", () => move(view, true)),
    button("Next", () => move(view, false)),
    button("Close", () => closeFind(view)),
  );
  showCount();
  return {
    dom,
    top: true,
    update(update) {
      const { sought } = update.state.field(findField);
      if (sought !== input.value && document.activeElement !== input) input.value = sought;
      showCount();
    },
  };

  function showCount(): void {
    const { sought, matches } = view.state.field(findField);
    const { from, to } = view.state.selection.main;
    const current = matches.findIndex((match) => match.from === from && match.to === to);
    const all = matches.length === MAX_MATCHES ? `${MAX_MATCHES} or more` : String(matches.length);
    count.textContent = sought === "" ? "" : current === -1 ? `${all} found` : `${current + 1} of ${all}`;
  }
}

function button(text: string, onClick: () => void): HTMLButtonElement {
  const element = document.createElement("button");
  element.type = "button";
  element.className = styles.button ?? "";
  element.textContent = text;
  element.onclick = onClick;
  return element;
}

/** A panel that finds text, by Ctrl+F or Cmd+F: the browser's own finds only the lines that are drawn. */
export const find = (): Extension => [
  findField,
  Prec.high(
    keymap.of([
      { key: "Mod-f", run: openFind, preventDefault: true },
      { key: "F3", run: (view) => move(view, false), shift: (view) => move(view, true), preventDefault: true },
      { key: "Mod-g", run: (view) => move(view, false), shift: (view) => move(view, true), preventDefault: true },
      { key: "Escape", run: closeFind },
    ]),
  ),
];
