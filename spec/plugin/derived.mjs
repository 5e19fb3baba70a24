/**
 * Adds a derived node to the parsed file that it follows from, so that `<file>#/<name>` refers to it and problems in it name that file. Only a
 * reference reaches it: it is not enumerable, so the file's own node stays as it is written.
 */
export function addDerived(node, name, value) {
  Object.defineProperty(node, name, { value, configurable: true, writable: true });
}
