import { useNavigate } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import type { Step } from "../saving/use-draft.ts";
import { useOfferActions } from "../shell/page-actions.ts";

/** The tabs of a page, which its address names. The palette offers them, and the review of the draft. @returns a function that opens a tab */
export function useEntityTabs<Tab extends string>(
  names: Readonly<Record<Tab, string>>,
  first: NoInfer<Tab>,
  { count, setStep }: { count: number; setStep: (step: Step) => void },
): (tab: Tab) => void {
  const navigate = useNavigate();
  const open = useCallback(
    (tab: Tab) =>
      void navigate({
        to: ".",
        search: (({ tab: _, comment: _left, ...others }: Record<string, unknown>) => ({
          ...others,
          ...(tab !== first && { tab }),
        })) as never,
        replace: true,
      }),
    [navigate, first],
  );
  const hasDraft = count > 0;
  useOfferActions(
    useMemo(
      () => [
        ...(hasDraft ? [{ id: "review", label: "Review changes", shortcut: "ctrl+s", run: () => setStep("review") }] : []),
        // A page of one part needs no choice.
        ...(Object.keys(names).length > 1 ? (Object.keys(names) as Tab[]) : []).map((tab) => ({
          id: `tab:${tab}`,
          label: `Show ${names[tab].toLowerCase()}`,
          run: () => open(tab),
        })),
      ],
      [hasDraft, names, open, setStep],
    ),
  );
  return open;
}
