import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { type Answer, ConsoleApiError, call, invalidate, type Schema } from "../api.ts";
import entity from "../entity/entity.module.css";
import { explain } from "../explain.ts";

import { useRefusal } from "../session/account.ts";
import { Confirm } from "../shell/confirm.tsx";
import { Section } from "../shell/page.tsx";
import { Button } from "../ui/button.tsx";
import { DateField } from "../ui/date-field.tsx";
import { downloadFile } from "../ui/download.ts";
import { TextField } from "../ui/field.tsx";
import { localInput } from "../ui/field-time.ts";
import { isoTime } from "../ui/iso-time.ts";
import { Notice } from "../ui/notice.tsx";
import { Time } from "../ui/time.tsx";
import { moment } from "../ui/time-text.ts";
import { latestNotesFirst, notesCsv, writerOf } from "./note-words.ts";
import styles from "./result-notes.module.css";
import { resultNotes } from "./use-note-marks.ts";

type ResultNote = Schema<"ResultNote">;
/** A note with its ETag. */
type Stored = Answer<"getResultNote">;
type Props = { type: Schema<"NotedType">; id: string };

const MAX_LENGTH = 500;
const MINUTE_MS = 60_000;

const readAgain = () => invalidate("listResultNotes");

/** The notes on the results of an entity, and a new one. */
export function ResultNotes({ type, id }: Props) {
  const [isAdding, setAdding] = useState(false);
  const refusal = useRefusal()("edit_or_delete_configs");
  const { data, error } = useQuery(resultNotes(type, id));
  const notes = latestNotesFirst(data?.data ?? []);
  return (
    <div className={notes.length === 0 ? styles.empty : undefined}>
      <Section
        title="Notes"
        description="Events that may explain the results, such as a campaign or an outage. They appear on charts over time."
        actions={
          <>
            {notes.length > 0 && (
              <Button aria-label="Download CSV of notes" onPress={() => downloadFile(`notes_${id}.csv`, [notesCsv(notes)])}>
                Download CSV
              </Button>
            )}
            <Button onPress={() => setAdding(true)} disabledReason={refusal}>
              Add note
            </Button>
          </>
        }
      >
        {error && <Notice tone="bad">{explain(error)}</Notice>}
        {data && notes.length === 0 && <p className={entity.soft}>No notes yet.</p>}
        {notes.length > 0 && (
          <ol className={styles.list} aria-label="Notes">
            {notes.map((note) => (
              <Item key={note.id} note={note} disabledReason={refusal} />
            ))}
          </ol>
        )}
        {isAdding && (
          <NoteDialog
            title="Add note"
            done="Note added"
            save={(body) => call("createResultNote", { body: { entityType: type, entityID: id, ...body } })}
            onClose={() => setAdding(false)}
          />
        )}
      </Section>
    </div>
  );
}

function Item({ note, disabledReason }: { note: ResultNote; disabledReason: string | undefined }) {
  const { id, time, text, author, createdTime, editor, editedTime } = note;
  const [isDeleting, setDeleting] = useState(false);
  const [isReading, setReading] = useState(false);
  const [edited, setEdited] = useState<Stored>();
  const [error, setError] = useState<unknown>();
  // The list has no ETags, and may be older than the note.
  const edit = async () => {
    setReading(true);
    setError(undefined);
    try {
      setEdited(await call("getResultNote", { path: { id } }));
    } catch (thrown) {
      setError(thrown);
      void readAgain();
    } finally {
      setReading(false);
    }
  };
  return (
    <li className={styles.item}>
      <strong>
        <time dateTime={isoTime(time)}>{moment(time)}</time>
      </strong>
      <p className={styles.text}>
        <bdi>{text}</bdi>
      </p>
      <p className={styles.facts}>
        <span>
          Added <Time time={createdTime} /> by <bdi>{writerOf(author)}</bdi>
          {editor && editedTime !== null && (
            <>
              , edited <Time time={editedTime} /> by <bdi>{writerOf(editor)}</bdi>
            </>
          )}
        </span>
      </p>
      <div className={styles.actions}>
        <Button look="quiet" onPress={edit} isPending={isReading} disabledReason={disabledReason}>
          Edit
        </Button>
        <Button look="quiet" onPress={() => setDeleting(true)} disabledReason={disabledReason}>
          Delete
        </Button>
      </div>
      {error !== undefined && <Notice tone="bad">{explain(error)}</Notice>}
      {edited && <EditDialog opened={edited} onClose={() => setEdited(undefined)} />}
      {isDeleting && (
        <Confirm
          title="Delete note"
          label="Delete"
          isDangerous
          done="Note deleted"
          act={() => call("deleteResultNote", { path: { id } })}
          onSettled={readAgain}
          onClose={() => setDeleting(false)}
        >
          <p>The note is removed from the list and the charts for everyone. The audit log keeps its text.</p>
        </Confirm>
      )}
    </li>
  );
}

const isStale = (error: unknown): boolean => error instanceof ConsoleApiError && error.status === 412;

/** Changes a note, unless someone else did since it was opened: then their note is shown first. */
function EditDialog({ opened, onClose }: { opened: Stored; onClose: () => void }) {
  const { id, time, text } = opened.data;
  const [latest, setLatest] = useState(opened);
  const save = async (given: Content) => {
    // Only what was changed, so that fields that only the other person changed keep their values.
    const body = { ...(given.time !== time && { time: given.time }), ...(given.text !== text && { text: given.text }) };
    if (Object.keys(body).length === 0) return;
    try {
      await call("patchResultNote", { path: { id }, body, ...(latest.etag !== undefined && { ifMatch: latest.etag }) });
    } catch (error) {
      if (isStale(error)) setLatest(await call("getResultNote", { path: { id } }));
      throw error;
    }
  };
  const { data: theirs } = latest;
  return (
    <NoteDialog
      title="Edit note"
      done="Note saved"
      note={opened.data}
      save={save}
      explainRefusal={(error) =>
        isStale(error) ? (
          <>
            <bdi>{writerOf(theirs.editor ?? theirs.author)}</bdi> saved other changes: <bdi>“{theirs.text}”</bdi>, {moment(theirs.time)}.
            Save again to overwrite the fields you edited with your version.
          </>
        ) : (
          explain(error)
        )
      }
      onClose={onClose}
    />
  );
}

type Content = { time: number; text: string };

type DialogProps = {
  title: string;
  done: string;
  /** The note to change. */
  note?: ResultNote;
  save: (content: Content) => Promise<unknown>;
  explainRefusal?: (error: unknown) => ReactNode;
  onClose: () => void;
};

function NoteDialog({ title, done, note, save, explainRefusal, onClose }: DialogProps) {
  const [text, setText] = useState(note?.text ?? "");
  const [time, setTime] = useState(() => note?.time ?? Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS);
  const fault = text.length > MAX_LENGTH ? `Use at most ${MAX_LENGTH} characters.` : undefined;
  return (
    <Confirm
      title={title}
      label="Save note"
      backLabel="Cancel"
      done={done}
      disabledReason={text.trim() === "" ? "Enter a note first." : fault}
      act={() => save({ time, text: text.trim() })}
      {...(explainRefusal && { explainRefusal })}
      onSettled={readAgain}
      onClose={onClose}
    >
      <TextField label="Note" rows={2} placeholder="Marketing campaign began" value={text} onChange={setText} error={fault} />
      <DateField
        label="When"
        description="In your time zone. Daily charts show the note on its day in the results’ time zone."
        hasTime
        value={localInput(time)}
        onChange={(given) => setTime(new Date(given).getTime())}
      />
    </Confirm>
  );
}
