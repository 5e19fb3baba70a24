import type { UseQueryResult } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import type { BatchRequest, Changes, Schema } from "../api.ts";
import { explain } from "../explain.ts";
import { type Noun, typeWithNoun } from "../kinds/kinds.ts";
import { ChangeList } from "../saving/changes.tsx";
import { Review } from "../saving/review.tsx";
import { ActorName } from "../shell/actor-name.tsx";
import { Section } from "../shell/page.tsx";
import type { Change } from "../targeting/change.ts";
import { type DescribedEntity, firstContent } from "../targeting/changes.ts";
import { withMissingFields } from "../targeting/missing-changes.ts";
import { text } from "../targeting/parts.ts";
import { Button } from "../ui/button.tsx";
import { Loading, Notice } from "../ui/notice.tsx";
import { Time } from "../ui/time.tsx";
import { toast } from "../ui/toast.tsx";
import styles from "./entity.module.css";

/** A page shows so many versions. The audit log has them all. */
export const MAX_VERSIONS = 200;

export type Versioned = { version: number; lastModifiedTime: number; lastModifierName: string | null; lastModifierID: string | null };

/** One page of versions, the latest first, and why some of them were made. */
export type VersionList<Entity> = { data: Entity[]; reasons: readonly Schema<"VersionReason">[] };

type Props<Entity extends Versioned> = {
  /** The versions, the latest first. */
  read: Pick<UseQueryResult<VersionList<Entity>, Error>, "data" | "error">;
  /** Whether the entity is deleted, so that none of its versions is the current one. */
  isDeleted?: true;
  /** The entity as it is, by name. */
  name: string;
  /** Noun of the entity: gate. */
  noun: string;
  /** The differences between two versions, in words. */
  inWords: (changes: Changes, before: Entity, after: Entity) => DescribedEntity[];
  /** Further differences between two versions, in words. Restoring a version doesn't undo them. */
  lasting?: (before: Entity, after: Entity) => Change[];
  /** Says that `lasting` differences can't be undone. Shown instead of the button for a version without any others. */
  lastingReason?: string | undefined;
  /** Shown for a version without differences. */
  unchanged?: string;
  /** The request that restores a version. */
  restore: (version: number) => BatchRequest;
  /** Environments where users may get something else if one version's content replaces another's, in words. */
  environments?: (before: Entity, after: Entity) => string;
  /** Whether a restored version can change users' values. By default it does where there are `environments`. */
  isTargeting?: boolean;
  /** The reason why versions can't be restored; undefined if they can. */
  disabledReason: string | undefined;
  /** Reads the entity again: someone else saved it, or a version is restored. */
  onReadAgain: () => void;
};

/** Every version since the creation: its changes, and a way back to it. */
export function HistoryTab<Entity extends Versioned>({ read: { data, error }, ...props }: Props<Entity>) {
  const { version } = useSearch({ strict: false }) as { version?: number };
  if (error) return <Notice tone="bad">{explain(error)}</Notice>;
  if (data === undefined) return <Loading />;
  const versions = data.data;
  const [current] = versions;
  const shown = versions.find((one) => one.version === version) ?? current;
  if (!current || !shown) return null;
  return (
    <Section
      title="History"
      description={`Each save is a version. Restoring one creates a new version with the same content. You review it first.${
        props.lastingReason === undefined ? "" : ` ${props.lastingReason}`
      }`}
    >
      <div className={styles.versions}>
        <ol aria-label="Versions">
          {versions.map((one) => (
            <li key={one.version}>
              <Link
                to="."
                search={(known: object) => ({ ...known, version: one.version })}
                replace
                className={styles.version}
                aria-current={one === shown ? "true" : undefined}
              >
                <span>
                  Version {one.version}
                  {one === current && !props.isDeleted && ", current"}
                </span>
                <span className={styles.soft}>
                  <ActorName id={one.lastModifierID} name={one.lastModifierName} />, <Time time={one.lastModifiedTime} />
                </span>
              </Link>
            </li>
          ))}
        </ol>
        <VersionCard
          shown={shown}
          reason={data.reasons.find((one) => one.version === shown.version)?.reason}
          before={versions[versions.indexOf(shown) + 1]}
          current={current}
          {...props}
        />
      </div>
    </Section>
  );
}

type VersionProps<Entity extends Versioned> = Omit<Props<Entity>, "read"> & {
  shown: Entity;
  reason: string | undefined;
  before: Entity | undefined;
  current: Entity;
};

function VersionCard<Entity extends Versioned>(props: VersionProps<Entity>) {
  const { shown, reason, before, current, name, noun, inWords, restore, environments, onReadAgain, isDeleted = false } = props;
  // The version whose content replaces the current one.
  const [restored, setRestored] = useState<Entity>();
  const navigate = useNavigate();
  const words = before ? inWords([], before, shown) : [];
  // Versions of a deleted entity are read from the change log, which has every field.
  const title = [text(name)];
  const known = before && !isDeleted ? withMissingFields(words, before, shown, title) : words;
  const lasting = before ? (props.lasting?.(before, shown) ?? []) : [];
  const differences = lasting.length === 0 ? known : [...known, { entityType: "", entityID: "", title, changes: lasting }];
  const isCurrent = shown === current && !isDeleted;
  const isUndo = isCurrent && restored !== undefined;
  const touched = restored && environments?.(current, restored);
  const earlier = isCurrent ? before : shown;
  const isSame = () => earlier !== undefined && withMissingFields(inWords([], current, earlier), current, earlier, title).length === 0;
  const lastingReason = !isDeleted && props.lastingReason !== undefined && isSame() ? props.lastingReason : undefined;
  const isTargeting = props.isTargeting ?? touched !== undefined;
  const done = () => {
    setRestored(undefined);
    onReadAgain();
  };
  const saved = (version: number) => {
    done();
    // The card then shows the version that was just created.
    void navigate({ to: ".", search: (({ version: _, ...others }: Record<string, unknown>) => others) as never, replace: true });
    toast({ text: isUndo ? `Undid changes to ${name}` : `Restored version ${version}` });
  };
  return (
    <div className={styles.card}>
      <div className={styles.row}>
        <h3>Version {shown.version}</h3>
        {lastingReason !== undefined ? (
          <span className={styles.soft}>{lastingReason}</span>
        ) : (
          <>
            {isCurrent && before !== undefined && (
              <Button onPress={() => setRestored(before)} disabledReason={props.disabledReason}>
                Undo this change
              </Button>
            )}
            <Button
              onPress={() => setRestored(shown)}
              disabledReason={props.disabledReason ?? (isCurrent ? "This is the current version." : undefined)}
            >
              Restore this version
            </Button>
          </>
        )}
      </div>
      {reason !== undefined && (
        <p>
          Reason: <bdi>{reason}</bdi>
        </p>
      )}
      {before === undefined ? (
        <>
          <p>{shown.version === 1 ? `Created the ${noun}.` : "Earlier versions are not listed here."}</p>
          {shown.version === 1 && <ChangeList entities={[firstContent(typeWithNoun(noun as Noun) ?? noun, shown)]} />}
        </>
      ) : differences.length === 0 ? (
        <p>{props.unchanged ?? "Saved without changes."}</p>
      ) : (
        <ChangeList entities={differences} />
      )}
      {restored !== undefined && (
        <Review
          title={isUndo ? `Undo changes to ${name}` : `Restore version ${restored.version} of ${name}`}
          saveLabel={isUndo ? "Undo" : "Restore"}
          write={[restore(restored.version)]}
          inWords={(changes) => inWords(changes, current, restored)}
          isTargeting={isTargeting}
          {...(touched !== undefined && { environments: touched })}
          onClose={() => setRestored(undefined)}
          onConflict={done}
          onSaved={() => saved(restored.version)}
        />
      )}
    </div>
  );
}
