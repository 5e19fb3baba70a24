import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";

/** The files that examples were completed from. No reference to them is left. */
const read = new Set();

/** States that an example was completed from a file. */
export function addRead(file) {
  read.add(file);
}

/** Refuses a file of the API's folder to which nothing refers: a path or an entity that the index does not list, or a component that is not used. */
export function noUnlistedFiles() {
  const seen = new Set();
  return {
    ref: {
      enter(_node, _context, { location }) {
        if (location) seen.add(location.source.absoluteRef);
      },
    },
    Root: {
      leave(_root, { report, location }) {
        const index = location.source.absoluteRef;
        const folder = dirname(index);
        const files = readdirSync(folder, { recursive: true })
          .filter((name) => name.endsWith(".yaml"))
          .sort();
        for (const name of files) {
          const file = join(folder, name);
          if (file !== index && !seen.has(file) && !read.has(file))
            report({ message: `No file refers to ${name}.`, location: location.key() });
        }
      },
    },
  };
}
