import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { invalidate, query, type Schema } from "../../api.ts";
import { ChangeList } from "../../saving/changes.tsx";
import { Review } from "../../saving/review.tsx";
import { useEnvironments } from "../../shell/environments.ts";
import { explain } from "../../shell/explain.ts";
import { Section } from "../../shell/page.tsx";
import { describeChanges } from "../../targeting/changes.ts";
import { environmentsInWords, environmentsTouched } from "../../targeting/environments-touched.ts";
import { Button } from "../../ui/button.tsx";
import { Loading, Notice } from "../../ui/notice.tsx";
import { Time } from "../../ui/time.tsx";
import { toast } from "../../ui/toast.tsx";
import styles from "./gate.module.css";
import type { Stored } from "./gate-draft.ts";

type Gate = Schema<"Gate">;
const FROM = "/projects/$projectID/gates/$id";
const MAX_SHOWN = 200;

/** Every version since the creation: what changed in it, and a way back to it. */
export function HistoryTab({
  stored,
  hasDraft,
  disabledReason,
}: {
  stored: Stored;
  hasDraft: boolean;
  disabledReason: string | undefined;
}) {
  const { id } = stored.gate;
  const { version } = useSearch({ from: FROM });
  const { data, error, isPending } = useQuery(query("listGateVersions", { path: { id }, query: { limit: MAX_SHOWN } }));
  if (error) return <Notice tone="bad">{explain(error)}</Notice>;
  if (isPending) return <Loading />;
  const versions = data.data;
  const [current] = versions;
  const shown = versions.find((one) => one.version === version) ?? current;
  if (!current || !shown) return null;
  const before = versions[versions.indexOf(shown) + 1];
  const reason =
    disabledReason ?? (hasDraft ? "Save or discard your changes first." : shown === current ? "This is the current version." : undefined);
  return (
    <Section
      title="History"
      description="Each save is a version. Restoring one makes a new version with its content, and is reviewed like any save."
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
                  {one === current && ", current"}
                </span>
                <span className={styles.soft}>
                  <bdi>{one.lastModifierName ?? one.lastModifierID ?? "Unknown"}</bdi>, <Time time={one.lastModifiedTime} />
                </span>
              </Link>
            </li>
          ))}
        </ol>
        <VersionOf gate={shown} before={before} current={stored.gate} etag={stored.etag} disabledReason={reason} />
      </div>
    </Section>
  );
}

type VersionProps = { gate: Gate; before: Gate | undefined; current: Gate; etag: string; disabledReason: string | undefined };

function VersionOf({ gate, before, current, etag, disabledReason }: VersionProps) {
  const environments = useEnvironments().map(({ name }) => name);
  const [isRestoring, setRestoring] = useState(false);
  const known = before ? describeChanges([], [{ type: "gate", id: gate.id, before, after: gate }]) : [];
  return (
    <div className={styles.card}>
      <div className={styles.row}>
        <h3>Version {gate.version}</h3>
        <Button onPress={() => setRestoring(true)} disabledReason={disabledReason}>
          Restore this version
        </Button>
      </div>
      {before === undefined ? (
        <p>{gate.version === 1 ? "The gate was created." : "Earlier versions are not listed here."}</p>
      ) : known.length === 0 ? (
        <p>Nothing that this page shows was changed.</p>
      ) : (
        <ChangeList entities={known} />
      )}
      {isRestoring && (
        <Review
          title={`Restore version ${gate.version} of ${gate.name}`}
          saveLabel="Restore"
          write={[{ operationId: "restoreGateVersion", path: { id: gate.id, version: gate.version }, ifMatch: etag }]}
          inWords={(changes) => describeChanges(changes, [{ type: "gate", id: gate.id, before: current, after: { ...gate } }])}
          environments={environmentsInWords(environmentsTouched({ flag: current }, { flag: gate }, environments), environments)}
          onClose={() => setRestoring(false)}
          onConflict={() => {
            setRestoring(false);
            void invalidate("listGateVersions", "getGate");
          }}
          onSaved={() => {
            setRestoring(false);
            void invalidate("getGate", "listGates", "listGateVersions", "listChanges");
            toast({ text: `Version ${gate.version} is restored` });
          }}
        />
      )}
    </div>
  );
}
