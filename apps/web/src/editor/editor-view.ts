import { Compartment, EditorState, type Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { createChecker } from "./checker.ts";
import type { Fault } from "./json5-tree.ts";
import { editing, format, moveTo, reading, replaceText, showFaults } from "./setup.ts";
import { startWorker } from "./start-worker.ts";
import type { RootKind } from "./text-faults.ts";

/** The constraints of a text: a JSON Schema as its text or value, and whether it must be an object. */
type Demands = { schema: unknown; rootKind: RootKind };

type Appearance = { label: string; descriptionID: string; isReadOnly: boolean };

export type EditorHandle = {
  view: EditorView;
  setText(text: string): void;
  setDemands(demands: Demands): void;
  setAppearance(appearance: Appearance): void;
  /** Formats the text, or moves to the fault that prevents it. */
  format(): void;
  close(): void;
};

type EditorOptions = Demands &
  Appearance & {
    parent: HTMLElement;
    text: string;
    nonce: string | undefined;
    onChange(text: string): void;
    /** Receives the faults of the text as it is. */
    onFaults(faults: Fault[]): void;
  };

/** The time without a change after which the text is checked, ms. */
const CHECK_DELAY_MS = 250;

/** An editor in the page, which checks its text. */
export function createEditor({ parent, text, nonce, onChange, onFaults, ...initial }: EditorOptions): EditorHandle {
  let demands: Demands = initial;
  let known = withLineFeeds(text);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let faults: Fault[] = [];
  const appearance = new Compartment();

  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: known,
      extensions: [
        reading(nonce),
        editing({
          getSchema: () => demands.schema,
          onFormat() {
            formatOrShow();
            return true;
          },
        }),
        appearance.of(appearanceExtensions(initial)),
        EditorView.updateListener.of(({ docChanged }) => docChanged && changed()),
      ],
    }),
  });

  let checked = view.state.doc;
  const checker = createChecker({
    startWorker,
    onFaults(found) {
      // Faults of a text that has changed since would be at wrong places.
      if (view.state.doc !== checked) return;
      faults = found;
      showFaults(view, found);
      onFaults(found);
    },
  });
  check();

  return {
    view,
    setText(next) {
      const normal = withLineFeeds(next);
      if (normal === known) return;
      known = normal;
      replaceText(view, normal);
    },
    setDemands(next) {
      if (next.schema === demands.schema && next.rootKind === demands.rootKind) return;
      demands = next;
      check();
    },
    setAppearance: (next) => view.dispatch({ effects: appearance.reconfigure(appearanceExtensions(next)) }),
    format: formatOrShow,
    close() {
      clearTimeout(timer);
      checker.close();
      view.destroy();
    },
  };

  function changed(): void {
    clearTimeout(timer);
    timer = setTimeout(check, CHECK_DELAY_MS);
    const next = view.state.doc.toString();
    if (next === known) return;
    known = next;
    onChange(next);
  }

  function check(): void {
    clearTimeout(timer);
    checked = view.state.doc;
    checker.check({ text: checked.toString(), ...demands });
  }

  function formatOrShow(): void {
    if (view.state.readOnly || format(view)) return;
    const fault = faults.find(({ severity }) => severity === "error");
    if (fault !== undefined) moveTo(view, fault);
  }
}

/** As the editor keeps its lines. A text with other line ends changes only when it is edited. */
const withLineFeeds = (text: string): string => text.replace(/\r\n?/g, "\n");

const appearanceExtensions = ({ label, descriptionID, isReadOnly }: Appearance): Extension => [
  EditorState.readOnly.of(isReadOnly),
  EditorView.contentAttributes.of({
    "aria-label": label,
    "aria-describedby": descriptionID,
    "aria-readonly": String(isReadOnly),
    spellcheck: "false",
    tabindex: "0",
  }),
];
