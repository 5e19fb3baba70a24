import { type Fault, type Node, parseJson5 } from "./json5-tree.ts";

/** The kind of value that a text must be: an object, or any value. */
export type RootKind = "object" | "value";

/** The faults of a text apart from its schema: syntax errors, and JSON5 features that the server does not store. */
export function textFaults(text: string, rootKind: RootKind): { root?: Node; faults: Fault[] } {
  const { root, fault } = parseJson5(text);
  if (root === undefined) return { faults: [fault] };
  const faults: Fault[] = [];
  if (rootKind === "object" && root.kind !== "object") {
    faults.push({ ...startRange(root, text), message: "The text must be an object in braces { }.", severity: "error" });
  }
  visit(root);
  return { root, faults };

  function visit(node: Node): void {
    if (node.kind === "array") node.items.forEach(visit);
    else if (node.kind === "object") visitMembers(node);
    else if (typeof node.value === "number" && !Number.isFinite(node.value)) {
      report(node, `${text.slice(node.from, node.to)} is not allowed: JSON has no such number.`, "error");
    } else if (typeof node.value === "number" && isInexact(text.slice(node.from, node.to))) {
      report(node, "Numbers keep integers only up to 9007199254740991. Write this one as a string, in quotes.", "error");
    } else if (typeof node.value === "string") visitText(node.value, node);
  }

  function visitMembers({ members }: Extract<Node, { kind: "object" }>): void {
    const last = new Map(members.map((member) => [member.key, member]));
    for (const member of members) {
      visitText(member.key, member.keyRange);
      if (last.get(member.key) !== member) {
        report(member.keyRange, `The key "${member.key}" appears again below, and only the last one counts.`, "warning");
      }
      visit(member.value);
    }
  }

  function visitText(value: string, place: { from: number; to: number }): void {
    if (value.includes("\0")) report(place, "The character U+0000 is not allowed.", "error");
  }

  function report({ from, to }: { from: number; to: number }, message: string, severity: Fault["severity"]): void {
    faults.push({ from, to, message, severity });
  }
}

/** Whether a number is an integer that is neither kept nor written again as it is. The server refuses it. */
function isInexact(literal: string): boolean {
  const digits = literal.replace(/^[+-]/, "");
  if (!/^(?:0x[\da-f]+|\d+)$/i.test(digits)) return false;
  return BigInt(digits) !== BigInt(Number(digits)) && String(Number(digits)) !== digits;
}

/** The whole of a short value, the opening bracket of one that holds others. */
export const startRange = ({ kind, from, to }: Node, text: string): { from: number; to: number } =>
  kind === "object" || kind === "array" ? { from, to: from + 1 } : { from, to: Math.min(to, text.length) };
