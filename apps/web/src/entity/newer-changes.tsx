import { useQueries } from "@tanstack/react-query";
import { query, type Schema } from "../api.ts";
import { counted } from "../charts/format.ts";
import { ChangeList } from "../saving/changes.tsx";
import { useAccount } from "../session/account.ts";
import { ActorName } from "../shell/actor-name.tsx";
import { actorWords } from "../shell/actor-words.ts";
import { Loading } from "../ui/notice.tsx";
import { Time } from "../ui/time.tsx";
import styles from "./entity.module.css";
import { useNames, useRecordedWords } from "./use-change-words.ts";

type Last = { version: number; lastModifierID?: string | null; lastModifierName: string | null; lastModifiedTime?: number };
type Props = {
  id: string | undefined;
  /** The versions that the edits began from, by the type of the entity and of its parts. */
  versions: Readonly<Record<string, number>>;
  /** The last save, for entities whose changes the reader can't list. */
  last: Last;
};

/** The most changes that are described. */
const SHOWN = 10;

/** The saves of an entity since the reader's edits began, newest first: by whom, when, and what they changed. */
export default function NewerChanges({ id, versions, last }: Props) {
  const names = useNames();
  const answers = useQueries({
    queries: Object.keys(versions).map((entityType) => ({
      ...query("listChanges", { query: { entityType, limit: SHOWN, ...(id !== undefined && { entityID: id }) } }),
      staleTime: 0,
    })),
  });
  const newer = answers
    .flatMap(({ data }) => data?.data ?? [])
    .filter(({ entityType, version }) => version > (versions[entityType] ?? 0))
    .toSorted((a, b) => b.seq - a.seq)
    .slice(0, SHOWN);
  const words = useRecordedWords(newer, names);
  if (answers.some(({ isPending }) => isPending)) return <Loading label="Loading changes" />;
  if (newer.length === 0) return <LastSave {...last} />;
  return (
    <ol className={styles.newer} aria-label="Saved since you started editing">
      {newer.map((change, index) => (
        <NewerChange
          key={change.seq}
          change={change}
          changes={words[index] ?? []}
          name={actorWords({ id: change.actorID, name: change.actorName }, names)}
        />
      ))}
    </ol>
  );
}

type ChangeProps = { change: Schema<"Change">; changes: ReturnType<typeof useRecordedWords>[number]; name: string };

function NewerChange({ change: { entityType, entityID, actorID, time, reason, fieldCount, fields }, changes, name }: ChangeProps) {
  const { person } = useAccount();
  const others = fieldCount - fields.length;
  return (
    <li>
      <p>
        <bdi>{actorID === person.id ? "You" : name}</bdi> saved <Time time={time} />
        {reason !== null && (
          <>
            : “<bdi>{reason}</bdi>”
          </>
        )}
      </p>
      {changes.length > 0 && <ChangeList entities={[{ entityType, entityID, title: [], changes }]} />}
      {others > 0 && <p className={styles.soft}>And {counted(others, "more fields")}.</p>}
    </li>
  );
}

const LastSave = ({ version, lastModifierID, lastModifierName, lastModifiedTime }: Last) => (
  <p>
    <ActorName id={lastModifierID} name={lastModifierName} /> saved version {version}
    {lastModifiedTime !== undefined && (
      <>
        {" ("}
        <Time time={lastModifiedTime} />)
      </>
    )}
    .
  </p>
);
