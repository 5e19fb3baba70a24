import { useEffect, useState } from "react";

/** Typing waits this long before it searches. */
const TYPING_MS = 150;

/** Typed text shows at once and counts a moment later. A text that comes from the address replaces it. */
export function useTypedText(given: string, onSettled: (text: string) => void): [string, (text: string) => void] {
  const [text, setText] = useState(given);
  const [lastGiven, setLastGiven] = useState(given);
  if (given !== lastGiven) {
    setLastGiven(given);
    setText(given);
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing starts the wait.
  useEffect(() => {
    if (text === given) return;
    const timer = setTimeout(() => onSettled(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return [text, setText];
}
