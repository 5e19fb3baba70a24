import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";

/** Files that examples were completed from. Completing an example removes its reference to the file. */
const read = new Set();

/** States that an example was completed from a file. */
export function addRead(file) {
  read.add(file);
}

/** Refuses unused files in the API's folder: paths and entities that the index does not list, and unused components. */
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
