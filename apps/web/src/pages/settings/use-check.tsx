import { type ReactNode, useState } from "react";
import { explainAnalysis } from "../../explain.ts";
import { Notice } from "../../ui/notice.tsx";

type Check = { isUsable: boolean; reason?: string | null };

/** Checks a connection when asked, and says how it went. @param noun with a capital, such as `Connection` @param works what is said of one that works */
export function useCheck<Checked extends Check>(noun: string, ask: () => Promise<Checked>, works: (checked: Checked) => ReactNode) {
  const [isPending, setPending] = useState(false);
  const [checked, setChecked] = useState<Checked>();
  const [error, setError] = useState<unknown>();
  const check = async () => {
    setPending(true);
    setChecked(undefined);
    setError(undefined);
    try {
      setChecked(await ask());
    } catch (thrown) {
      setError(thrown);
    } finally {
      setPending(false);
    }
  };
  return { result: toResult(), isPending, check };

  function toResult(): ReactNode {
    if (error !== undefined) return <Notice tone="bad">{explainAnalysis(error)}</Notice>;
    if (checked === undefined) return null;
    if (!checked.isUsable)
      return (
        <Notice tone="bad" title={`${noun} failed`}>
          {checked.reason}
        </Notice>
      );
    return (
      <div role="status">
        <Notice tone="good" title={`${noun} works`}>
          {works(checked)}
        </Notice>
      </div>
    );
  }
}
