import { useSearch } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { call, type Schema } from "../../api.ts";
import { trailLines } from "../../api-streams.ts";
import { explain } from "../../explain.ts";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/choice.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { downloadFile } from "../../ui/download.ts";
import { Notice } from "../../ui/notice.tsx";
import { formatNumber } from "../../ui/number-text.ts";
import { toast } from "../../ui/toast.tsx";
import { type Format, fileHead, fileLine } from "./export-file.ts";
import { type AuditLogSearch, changesFilter, isFiltered, trailFilter, type View } from "./page-search.ts";

const FROM = "/projects/$projectID/audit-log";
const FORMATS = [
  { id: "csv", label: "CSV", hint: "for spreadsheets" },
  { id: "ndjson", label: "NDJSON", hint: "one JSON object per line" },
] as const;
const READ_AT_ONCE = 100;

/** Saves everything that the filters select as a file, whether the page shows it yet or not. */
export function ExportDialog({ view, onClose }: { view: View; onClose: () => void }) {
  const search = useSearch({ from: FROM });
  const [format, setFormat] = useState<Format>("csv");
  const [count, setCount] = useState<number>();
  const [error, setError] = useState<unknown>();
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);
  const isTrail = view !== "changes";
  const start = async () => {
    const controller = new AbortController();
    abort.current = controller;
    setError(undefined);
    setCount(0);
    const parts = [fileHead(format, isTrail)];
    try {
      for await (const item of readItems(view, search, controller.signal)) {
        parts.push(fileLine(format, isTrail, item));
        if (parts.length % READ_AT_ONCE === 0) setCount(parts.length - 1);
      }
      downloadFile(`${isTrail ? `${view === "trail" ? "audit" : "instance-audit"}-log` : "changes"}.${format}`, parts);
      toast({ text: parts.length === 2 ? "1 entry exported" : `${parts.length - 1} entries exported` });
      onClose();
    } catch (thrown) {
      if (controller.signal.aborted) return;
      setError(thrown);
      setCount(undefined);
    }
  };
  return (
    <Dialog
      title="Export audit log"
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button look="primary" onPress={() => void start()} isPending={count !== undefined}>
            Export
          </Button>
        </>
      }
    >
      {error !== undefined && <Notice tone="bad">{explain(error)}</Notice>}
      <p>
        {isFiltered(search)
          ? "Exports all entries that match the filters, including those not loaded on this page."
          : "Exports the entire audit log. Set filters first to export less."}
      </p>
      {isTrail && <p>This export is recorded in the audit log.</p>}
      <Select label="Format" options={FORMATS} value={format} onChange={(id) => setFormat(id === "csv" ? "csv" : "ndjson")} />
      <p role="status">{count !== undefined && `${formatNumber(count)} entries read`}</p>
    </Dialog>
  );
}

async function* readItems(view: View, search: AuditLogSearch, signal: AbortSignal): AsyncGenerator<Schema<"Change"> | Schema<"AuditLog">> {
  if (view !== "changes") {
    const lines = await trailLines(view === "trail" ? "listAuditLogs" : "listInstanceAuditLogs", trailFilter(search), signal);
    for await (const line of readLines(lines)) yield JSON.parse(line) as Schema<"AuditLog">;
    return;
  }
  for (let before: number | undefined; ; ) {
    const query = { ...changesFilter(search), limit: READ_AT_ONCE, ...(before !== undefined && { before }) };
    const { data } = await call("listChanges", { query, signal });
    yield* data;
    before = data.at(-1)?.seq;
    if (data.length < READ_AT_ONCE) return;
  }
}

async function* readLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    rest += decoder.decode(value, { stream: !done });
    const lines = rest.split("\n");
    rest = lines.pop() ?? "";
    yield* lines.filter((line) => line !== "");
    if (done) break;
  }
  if (rest !== "") yield rest;
}
