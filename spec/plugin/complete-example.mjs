/** The examples whose envelope is made here. */
const completed = new WeakSet();

/** The page size of lists that are asked for without one. */
const DEFAULT_LIMIT = 100;

/**
 * Writes the `value` of an example, in place, from its `x-answer`: the envelope of a success, with entities from separate files.
 *
 * @param {object} example `x-answer` has the `message`, the `data` and, where it is one page of a list, `pages`: the path of the list (`all`),
 *   its `totalItems`, and its `itemsPerPage` where that does not follow. In `data` and `review`, `{ $ref, with }` is the entity of a file with other
 *   fields.
 *   Other fields of `x-answer` are answered beside `data` unchanged.
 * @param {(reference: { $ref: string }) => object} resolve
 */
export function completeExample(example, resolve) {
  const { "x-answer": answer } = example;
  if (!answer) return;
  const { message, data, review, pages, ...rest } = answer;
  delete example["x-answer"];
  example.value = {
    message,
    ...rest,
    ...(review && { review: entity(review, resolve) }),
    ...(data !== undefined && { data: Array.isArray(data) ? data.map((one) => entity(one, resolve)) : entity(data, resolve) }),
    ...(pages && { pagination: pagination(pages, data) }),
  };
  completed.add(example);
}

/** Whether the `value` of an example was written from its `x-answer`. */
export function isCompleted(example) {
  return completed.has(example);
}

function entity(node, resolve) {
  const { $ref, with: changes } = node;
  return $ref ? { ...resolve({ $ref }), ...changes } : node;
}

function pagination({ all, totalItems, itemsPerPage: given }, data) {
  const itemsPerPage = given ?? (totalItems > data.length ? data.length : DEFAULT_LIMIT);
  const nextPage = totalItems > itemsPerPage ? `${all}?page=2&limit=${itemsPerPage}` : null;
  return { itemsPerPage, pageNumber: 1, totalItems, nextPage, previousPage: null, all };
}
