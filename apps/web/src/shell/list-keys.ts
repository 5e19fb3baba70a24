// Shortcuts of every list of entities: to its search, and from row to row.

const ROW = '[role="grid"] [role="row"][data-key]';

/** Moves the focus to the search of the page's list. */
export function focusSearch(): void {
  document.querySelector<HTMLElement>('main search input[type="search"], main [role="search"] input[type="search"]')?.focus();
}

/** Moves the focus by rows of the list. @param by 1 for the next row, -1 for the one before */
export function focusRow(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>(ROW)];
  const current = rows.findIndex((row) => row.contains(document.activeElement));
  rows[current < 0 ? 0 : current + by]?.focus();
}
