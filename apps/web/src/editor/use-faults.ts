import { useEffect, useRef, useState } from "react";
import { type Checker, createChecker } from "./checker.ts";
import type { Fault } from "./json5-tree.ts";
import { startWorker } from "./start-worker.ts";

/** Stands for the faults of a text that is not checked yet. */
export const UNCHECKED: readonly Fault[] = [];
const CHECK_DELAY_MS = 250;

/** The faults of an object's text, checked in a web worker a moment after its last change. */
export function useFaults(text: string, schema: unknown): readonly Fault[] {
  const checker = useRef<Checker | null>(null);
  const [checked, setChecked] = useState<{ text: string; faults: readonly Fault[] }>({ text, faults: UNCHECKED });
  const asked = useRef(text);

  useEffect(() => {
    const created = createChecker({ startWorker, onFaults: (faults) => setChecked({ text: asked.current, faults }) });
    checker.current = created;
    return () => created.close();
  }, []);

  useEffect(() => {
    const timer = setTimeout(() => {
      asked.current = text;
      checker.current?.check({ text, schema, rootKind: "object" });
    }, CHECK_DELAY_MS);
    return () => clearTimeout(timer);
  }, [text, schema]);

  // Faults of another text would be at wrong places.
  return checked.text === text ? checked.faults : UNCHECKED;
}
