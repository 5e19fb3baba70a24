import { type CSSProperties, useEffect, useId, useRef, useState } from "react";
import { createEditor, type EditorHandle } from "./editor-view.ts";
import { FaultList } from "./fault-list.tsx";
import { openFind } from "./find.ts";
import styles from "./json5-editor.module.css";
import type { Fault } from "./json5-tree.ts";
import { moveTo } from "./setup.ts";
import type { RootKind } from "./text-faults.ts";

export type Json5EditorProps = {
  /** The text of JSON5. */
  value: string;
  onChange: (value: string) => void;
  /** Name of the text for screen readers: "Default value". */
  label: string;
  /** A JSON Schema that the text should satisfy, as a text of JSON or JSON5 or as a value. */
  schema?: string | object | boolean | null;
  /** Whether the text must be an object, which is the default. */
  rootKind?: RootKind;
  /** Of the content security policy. */
  nonce: string | undefined;
  isReadOnly?: boolean;
  /** A length of CSS. Without it, the editor is as high as its text, within bounds. */
  height?: string;
  /** Receives the faults of the text after each check. */
  onFaults?: (faults: readonly Fault[]) => void;
};

/** Edits JSON5: underlines faults and lists them below, suggests keys and values from the schema, finds, and formats. */
export default function Json5Editor(props: Json5EditorProps) {
  const { value, label, schema = null, rootKind = "object", nonce, isReadOnly = false, height } = props;
  const descriptionID = useId();
  const container = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<EditorHandle | null>(null);
  /** Null until the first check has ended. */
  const [faults, setFaults] = useState<readonly Fault[] | null>(null);
  // The editor outlives a render and calls the last one's functions.
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: the effects below follow the other properties.
  useEffect(() => {
    if (container.current === null) return;
    const created = createEditor({
      parent: container.current,
      text: value,
      nonce,
      schema,
      rootKind,
      label,
      descriptionID,
      isReadOnly,
      onChange: (text) => latest.current.onChange(text),
      onFaults(found) {
        setFaults(found);
        latest.current.onFaults?.(found);
      },
    });
    setEditor(created);
    return () => {
      setEditor(null);
      created.close();
    };
  }, [nonce]);

  useEffect(() => editor?.setText(value), [editor, value]);
  useEffect(() => editor?.setDemands({ schema, rootKind }), [editor, schema, rootKind]);
  useEffect(() => editor?.setAppearance({ label, descriptionID, isReadOnly }), [editor, label, descriptionID, isReadOnly]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only keeps Escape from a dialog around the editor.
    <div
      className={styles.editor}
      style={height === undefined ? undefined : ({ "--editor-height": height } as CSSProperties)}
      // Escape closes a list or a panel here, or frees the Tab key. A dialog around the editor stays open.
      onKeyDown={(event) => event.key === "Escape" && event.stopPropagation()}
    >
      <div className={styles.bar}>
        <span className={styles.status} role="status">
          {describeFaults(faults)}
        </span>
        {!isReadOnly && (
          <button type="button" className={styles.button} title="Format, keeping comments (Shift+Alt+F)" onClick={() => editor?.format()}>
            Format
          </button>
        )}
        <button type="button" className={styles.button} title="Find in the text (Ctrl+F)" onClick={() => editor && openFind(editor.view)}>
          Find
        </button>
      </div>
      <div className={styles.text} data-sized={height !== undefined || undefined} ref={container} />
      {editor && faults && <FaultList faults={faults} doc={editor.view.state.doc} onMove={(fault) => moveTo(editor.view, fault)} />}
      <p className={styles.hint} id={descriptionID}>
        {isReadOnly ? "Read only." : "Tab indents. To leave the editor, press Escape and then Tab."}
      </p>
    </div>
  );
}

function describeFaults(faults: readonly Fault[] | null): string {
  if (faults === null) return "";
  const errors = faults.filter(({ severity }) => severity === "error").length;
  const notes = faults.length - errors;
  const parts = [counted(errors, "error"), counted(notes, "note")].filter((part) => part !== "");
  return parts.length === 0 ? "No problems found" : parts.join(", ");
}

const counted = (count: number, noun: string): string => (count === 0 ? "" : `${count} ${noun}${count === 1 ? "" : "s"}`);
