const FOCUSABLE = "a[href], button:not(:disabled), input:not(:disabled), textarea:not(:disabled), [tabindex]:not([tabindex='-1'])";
/** How many of the latest focused elements are remembered. */
const REMEMBERED = 20;

/** Where an element was that had the focus and is gone. */
type Gap = Pick<MutationRecord, "target" | "nextSibling" | "previousSibling">;

/** Keeps the focus in the page when its element is removed, such as a deleted row or the button of a closed dialog. */
export function keepFocus(): void {
  let latest: Element[] = [];
  let gap: Gap | undefined;
  document.addEventListener("focusin", ({ target }) => {
    if (target instanceof Element) latest = [target, ...latest.filter((one) => one !== target)].slice(0, REMEMBERED);
  });
  const restore = () => {
    const lost = gap;
    gap = undefined;
    if (lost === undefined || !isLost()) return;
    const next = [neighborOf(lost), ...latest.filter((one) => one.closest("main, [role=dialog], [role=alertdialog]"))].find(isReachable);
    (next ?? document.querySelector("main"))?.focus({ preventScroll: true });
  };
  new MutationObserver((records) => {
    const [last] = latest;
    if (last === undefined || last.isConnected || !isLost()) return;
    gap ??= records.find(({ removedNodes }) => [...removedNodes].some((node) => node.contains(last) && !hasPage(node)));
    // A closed dialog gives the focus back itself, in the next frame.
    requestAnimationFrame(() => requestAnimationFrame(restore));
  }).observe(document.body, { childList: true, subtree: true });
}

/** A new page starts at its beginning, with the link that skips to the content. */
const hasPage = (node: Node): boolean => node instanceof Element && (node.matches("main") || node.querySelector("main") !== null);

const isLost = (): boolean => document.activeElement === null || document.activeElement === document.body;

function isReachable(element: Element | undefined): element is HTMLElement {
  return (
    element instanceof HTMLElement && element.isConnected && isVisible(element) && element.closest("[aria-hidden=true], [inert]") === null
  );
}

const isVisible = (element: Element): boolean => element.getClientRects().length > 0;

/** The nearest element after the gap that takes the focus, or before it, or around it. A part of the page that is gone as a whole has none. */
function neighborOf({ target, nextSibling, previousSibling }: Gap): Element | undefined {
  if (!(target instanceof Element) || target === document.body || !target.isConnected) return undefined;
  return focusableIn(nextSibling).at(0) ?? focusableIn(previousSibling).at(-1) ?? focusableIn(target).at(0);
}

function focusableIn(node: Node | null): Element[] {
  if (!(node instanceof Element)) return [];
  return [...(node.matches(FOCUSABLE) ? [node] : []), ...node.querySelectorAll(FOCUSABLE)].filter(isVisible);
}
