/**
 * Refuses two paths that one URL can match, if neither path is more specific.
 *
 * @param {{ literals?: Record<string, string[]> }} options Segments that are never a parameter's value, by the path that they follow.
 */
export function noAmbiguousPaths({ literals = {} }) {
  return {
    Paths(paths, { report, location }) {
      const seen = [];
      for (const path of Object.keys(paths)) {
        const other = seen.find((one) => areAmbiguous(one.split("/"), path.split("/"), literals));
        if (other) report({ message: `A URL can match both this path and ${other}.`, location: location.child([path]).key() });
        seen.push(path);
      }
    },
  };
}

function areAmbiguous(one, other, literals) {
  if (one.length !== other.length) return false;
  const countParameters = (path) => path.filter(isParameter).length;
  return countParameters(one) === countParameters(other) && one.every((_, index) => canMatch(one, other, index, literals));
}

function canMatch(one, other, index, literals) {
  const [segment, otherSegment] = [one[index], other[index]];
  if (isParameter(segment) === isParameter(otherSegment)) return isParameter(segment) || segment === otherSegment;
  const literal = isParameter(segment) ? otherSegment : segment;
  return !literals[one.slice(0, index).join("/")]?.includes(literal);
}

function isParameter(segment) {
  return segment.startsWith("{");
}
