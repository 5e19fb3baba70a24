// What the command palette asks the next page to open, such as a dialog. The browser's history keeps it, not the address, so that no link
// can ask for it.
import { useNavigate, useRouterState } from "@tanstack/react-router";
import { useEffect, useRef } from "react";

declare module "@tanstack/react-router" {
  interface HistoryState {
    asked?: string;
  }
}

/** Calls back once for what was asked of the page. */
export function useAsked(onAsked: (what: string) => void): void {
  const asked = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.state.asked });
  const navigate = useNavigate();
  const answer = useRef(onAsked);
  answer.current = onAsked;
  useEffect(() => {
    if (asked === undefined) return;
    // A page that is opened again from the history opens nothing.
    void navigate({ to: ".", search: true, replace: true, state: (state) => ({ ...state, asked: undefined }) as never });
    answer.current(asked);
  }, [asked, navigate]);
}
