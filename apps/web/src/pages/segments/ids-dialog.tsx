import { useState } from "react";
import { ReviewRequiredError } from "../../api.ts";
import { ReadBy } from "../../entity/read-by.tsx";
import { explain } from "../../explain.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { FileButton } from "../../ui/file-button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { formatNumber } from "../../ui/number-text.ts";
import { Progress } from "../../ui/progress.tsx";
import { type Choice, ColumnChoice, chosenColumn, firstChoice } from "./column-choice.tsx";
import { countAccepted } from "./id-file.ts";
import { findTable, type IDTable, readTable, SAMPLE_LENGTH } from "./id-table.ts";
import { countIDs, Replacement } from "./replacement.tsx";
import type { Segment } from "./segment-draft.ts";
import styles from "./segments.module.css";
import type { ListType, Mode, Progressed } from "./transfer.ts";
import { useTransfer } from "./use-transfer.ts";

type Props = { segment: Segment; type: ListType; mode: Mode; onClose: () => void };

const FILES = [".txt", ".csv", ".tsv", "text/plain", "text/csv"];

type Words = { title: string; action: string; again: string; progress: string; done: (ids: number) => string; unchanged?: string };

const WORDS: Record<Mode, Words> = {
  add: {
    title: "Add IDs to",
    action: "Add",
    again: "Add more",
    progress: "Adding",
    done: (ids) => `${countIDs(ids)} added.`,
    unchanged: "already in the list",
  },
  remove: {
    title: "Remove IDs from",
    action: "Remove",
    again: "Remove more",
    progress: "Removing",
    done: (ids) => `${countIDs(ids)} removed.`,
    unchanged: "not in the list",
  },
  replace: {
    title: "Replace all IDs of",
    action: "Replace all",
    again: "Replace again",
    progress: "Replacing",
    done: (ids) => `The list now has ${countIDs(ids)}.`,
  },
};

function refusal(added: number | undefined): string | undefined {
  if (added === undefined) return "The new IDs are being counted.";
  return added === 0 ? "No IDs found." : undefined;
}

/** Takes pasted ids or a file of them, and sends them in parts. */
export function IDsDialog({ segment, type, mode, onClose }: Props) {
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState<{ file: File; table: IDTable | undefined }>();
  const [choice, setChoice] = useState<Partial<Choice>>({});
  const { state, start, resume, stop, forget } = useTransfer();
  const words = WORDS[mode];
  const file = chosen?.file;
  const source = file ?? (text.trim() === "" ? undefined : new Blob([text]));
  const table = chosen ? chosen.table : findTable(text.slice(0, SAMPLE_LENGTH), text.length <= SAMPLE_LENGTH);
  const answered: Choice = { ...firstChoice(table), ...choice };
  const column = table && chosenColumn(table, answered);
  const begin = () => source && start(source, { id: segment.id, type, mode, column });
  const [replacement, setReplacement] = useState<{ added?: number; error?: unknown }>();
  const countFirst = async () => {
    setReplacement({});
    try {
      if (source) setReplacement({ added: await countAccepted(source, column) });
    } catch (error) {
      setReplacement({ error });
    }
  };
  const setFile = (next: File | undefined, found?: IDTable) => {
    setChosen(next && { file: next, table: found });
    setChoice({});
  };
  const again = () => {
    forget();
    setReplacement(undefined);
    setFile(undefined);
    setText("");
  };
  const missing =
    source === undefined ? "Paste IDs or choose a file first." : table && !column ? "Choose the column with the IDs first." : undefined;
  // The part that failed is in the review: sending it again would request another one.
  const isInReview = state.status === "failed" && state.error instanceof ReviewRequiredError;
  const progress = state.status === "idle" ? undefined : state.progress;
  return (
    <Dialog
      title={`${words.title} ${segment.name}`}
      isOpen
      onClose={onClose}
      isDemanding={state.status === "running"}
      actions={
        state.status === "idle" && replacement ? (
          <>
            <Button onPress={() => setReplacement(undefined)}>Back</Button>
            <Button look="danger" onPress={begin} disabledReason={refusal(replacement.added)}>
              {words.action}
            </Button>
          </>
        ) : state.status === "idle" ? (
          <>
            <Button onPress={onClose}>Cancel</Button>
            <Button
              look={mode === "add" ? "primary" : "danger"}
              onPress={mode === "replace" ? () => void countFirst() : begin}
              disabledReason={missing}
            >
              {mode === "replace" ? "Continue" : words.action}
            </Button>
          </>
        ) : state.status === "running" ? (
          <Button onPress={stop}>Stop</Button>
        ) : state.status === "done" ? (
          <>
            <Button onPress={again}>{words.again}</Button>
            <Button look="primary" onPress={onClose}>
              Close
            </Button>
          </>
        ) : (
          <>
            <Button onPress={onClose}>Close</Button>
            {!isInReview && (
              <Button look="primary" onPress={resume}>
                Continue
              </Button>
            )}
          </>
        )
      }
    >
      <div className="stack">
        {state.status === "idle" && replacement ? (
          <Replacement segment={segment} {...replacement} />
        ) : state.status === "idle" ? (
          <>
            <ReadBy type="segment" id={segment.id} noun="segment" />
            <TextField
              label="IDs"
              rows={8}
              value={text}
              onChange={setText}
              isDisabled={file !== undefined}
              description="Separate IDs with line breaks, commas, or tabs. For a table, you choose the column."
            />
            <FileButton
              label="Load from a file"
              accept={FILES}
              onChoose={async (next) => setFile(next, await readTable(next).catch(() => undefined))}
            />
            {file && (
              <p>
                <bdi>{file.name}</bdi>, {formatNumber(Math.ceil(file.size / 1_000))} kB.{" "}
                <Button look="quiet" onPress={() => setFile(undefined)}>
                  Remove file
                </Button>
              </p>
            )}
            {table && <ColumnChoice table={table} choice={answered} onChange={setChoice} />}
          </>
        ) : (
          <>
            {state.status === "failed" && (
              <Notice tone={isInReview ? "info" : "bad"} title="Interrupted">
                {explain(state.error)} {isInReview ? "Send the other IDs after its approval." : "IDs sent so far are kept."}
              </Notice>
            )}
            {state.status === "stopped" && <Notice>Stopped. IDs sent so far are kept.</Notice>}
            {state.status === "done" && progress && <Outcome words={words} progress={progress} />}
            {state.status !== "done" && (
              <Progress
                label={words.progress}
                value={progress && source ? progress.bytes / Math.max(1, source.size) : 0}
                text={countIDs(progress?.sent ?? 0)}
              />
            )}
            {progress && <RefusedLines progress={progress} />}
          </>
        )}
      </div>
    </Dialog>
  );
}

function Outcome({ words, progress: { sent, changed, lines } }: { words: Words; progress: Progressed }) {
  if (sent === 0) return <Notice tone="warn">No IDs found. Nothing changed.</Notice>;
  const others = sent - changed;
  return (
    <div role="status">
      <Notice tone="good">
        {words.done(changed)}{" "}
        {words.unchanged !== undefined && others > 0 && `${countIDs(others)} ${others === 1 ? "was" : "were"} ${words.unchanged}. `}
        {lines === 1 ? "1 line was read" : `${formatNumber(lines)} lines were read`}. Duplicate IDs count once.
      </Notice>
    </div>
  );
}

function RefusedLines({ progress: { refused, refusedCount } }: { progress: Progressed }) {
  if (refusedCount === 0) return null;
  return (
    <section aria-label="Left out">
      <h3>{refusedCount === 1 ? "1 was left out" : `${formatNumber(refusedCount)} were left out`}</h3>
      <ul className={styles.refused}>
        {refused.map(({ line, reason }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line can be refused for two ids.
          <li key={`${line} ${index}`}>
            Line {formatNumber(line)}: {reason}
          </li>
        ))}
      </ul>
      {refusedCount > refused.length && <p>and {formatNumber(refusedCount - refused.length)} more</p>}
    </section>
  );
}
