import { useEffect, useRef, useState } from "react";
import { explain } from "../../explain.ts";
import { Button } from "../../ui/button.tsx";
import { downloadFile } from "../../ui/download.ts";
import { formatNumber } from "../../ui/number-text.ts";
import { ListChanged, readIDFile } from "./id-download.ts";
import type { Segment } from "./segment-draft.ts";

/** Saves all IDs of the segment as a file that the page can read back. */
export function DownloadIDs({ segment: { id, count } }: { segment: Segment }) {
  const [read, setRead] = useState<number>();
  const [fault, setFault] = useState<string>();
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);
  const start = async () => {
    const controller = new AbortController();
    abort.current = controller;
    setFault(undefined);
    setRead(0);
    try {
      downloadFile(`${id}.csv`, await readIDFile(id, controller.signal, setRead));
    } catch (error) {
      if (controller.signal.aborted) return;
      setFault(error instanceof ListChanged ? "The list changed during the download. Try again." : explain(error));
    }
    setRead(undefined);
  };
  return (
    <>
      {fault !== undefined && <span role="alert">{fault}</span>}
      <Button onPress={() => void start()} isPending={read !== undefined} disabledReason={count === 0 ? "The list is empty." : undefined}>
        {read === undefined ? "Download IDs" : `Downloading ${formatNumber(read)} of ${formatNumber(count)}`}
      </Button>
    </>
  );
}
