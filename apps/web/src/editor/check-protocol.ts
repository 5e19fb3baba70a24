import type { Fault } from "./json5-tree.ts";
import type { RootKind } from "./text-faults.ts";

/** A text to check, and the schema that it should satisfy, as a text or a value. */
export type CheckRequest = { id: number; text: string; schema: unknown; rootKind: RootKind };

/** `ready` once the worker has started; the faults of the text alone; then all faults, with those that its schema finds. */
export type CheckReply = { kind: "ready" } | { kind: "text" | "all"; id: number; faults: Fault[] };
