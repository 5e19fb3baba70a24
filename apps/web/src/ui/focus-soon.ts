/** How long a part may take to appear, such as a tab that is loaded. */
const PATIENCE_MS = 10_000;

/** Focuses a part of the page as soon as it is shown and no dialog covers it. @param selectors of the part, the best one first */
export function focusSoon(...selectors: readonly string[]): void {
  const end = performance.now() + PATIENCE_MS;
  const attempt = () => {
    const [part] = selectors.flatMap((selector) => document.querySelector<HTMLElement>(`main ${selector}, main${selector}`) ?? []);
    if (part && document.querySelector("[role=dialog]") === null) part.focus();
    else if (performance.now() < end) requestAnimationFrame(attempt);
  };
  requestAnimationFrame(attempt);
}

/** The selector of an editor by its name. */
export const editorNamed = (label: string): string => `[contenteditable][aria-label="${CSS.escape(label)}"]`;
