import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { query, queryClient, restoreRequest, type Schema } from "../api.ts";
import { kinds, type RestorableType } from "../kinds/kinds.ts";
import { useRefusal } from "../session/account.ts";
import { ActorName } from "../shell/actor-name.tsx";
import { Page } from "../shell/page.tsx";
import { describeChanges, describeContent } from "../targeting/changes.ts";
import { Loading, Notice } from "../ui/notice.tsx";
import { Time } from "../ui/time.tsx";
import { HistoryTab, type Versioned } from "./history-tab.tsx";

type Change = Schema<"Change">;
type Version = Versioned & { change: Change };

type Props = {
  type: RestorableType;
  id: string;
  /** Shown if the entity never existed. */
  otherwise: ReactNode;
  /** Shows the page of the entity, which exists again. */
  onRestored: () => void;
};

const MOST_CHANGES = 100;

/** The deleted entity, the person who deleted it, and a way back to each of its versions. */
export default function DeletedEntity({ type, id, otherwise, onRestored }: Props) {
  const read = useQuery(query("listChanges", { query: { entityType: type, entityID: id, limit: MOST_CHANGES } }));
  const { noun, restore } = kinds[type];
  const refusal = useRefusal()(restore.permission);
  if (read.isPending) return <Loading />;
  const [deletion, ...earlier] = read.data?.data ?? [];
  if (!deletion?.isDeletion) return otherwise;
  const name = deletion.entityName ?? id;
  const life = ofLastLife(earlier);
  const reasons = life.flatMap(({ version, reason }) => (reason === null ? [] : [{ version, reason }]));
  return (
    <Page title={name} beside={<code>{id}</code>}>
      <Notice>
        <ActorName id={deletion.actorID} name={deletion.actorName} /> deleted this {noun} <Time time={deletion.time} />. Restore a version
        to bring it back.
      </Notice>
      <HistoryTab
        read={{ data: { data: life.map(toVersion), reasons }, error: null }}
        name={name}
        noun={noun}
        isDeleted
        inWords={(changes, _, { change }) =>
          changes.length > 0 ? changes.map((one) => describeContent(one)) : describeChanges([change], [])
        }
        restore={(version) => restoreRequest(restore.operationId, { id, version })}
        isTargeting={restore.isTargeting}
        disabledReason={refusal}
        onReadAgain={() => void queryClient.invalidateQueries().then(onRestored)}
      />
    </Page>
  );
}

/** The changes since the entity was last created, newest first, without the deletions between them. */
function ofLastLife(changes: readonly Change[]): Change[] {
  const creation = changes.findIndex(({ version }) => version === 1);
  return changes.slice(0, creation === -1 ? undefined : creation + 1).filter(({ isDeletion }) => !isDeletion);
}

const toVersion = (change: Change): Version => ({
  version: change.version,
  lastModifiedTime: change.time,
  lastModifierName: change.actorName,
  lastModifierID: change.actorID,
  change,
});
