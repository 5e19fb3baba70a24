import { useSuspenseQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { type ConsoleApiError, invalidate, query } from "../../api.ts";
import { Conflict } from "../../saving/conflict.tsx";
import { Review } from "../../saving/review.tsx";
import { SaveBar } from "../../saving/save-bar.tsx";
import { useRefusal } from "../../session/account.ts";
import { violationsOf } from "../../shell/explain.ts";
import { Page, Section } from "../../shell/page.tsx";
import { Empty, Notice } from "../../ui/notice.tsx";
import { Time } from "../../ui/time.tsx";
import { toast } from "../../ui/toast.tsx";
import { KeyActions } from "./key-actions.tsx";
import {
  changedFields,
  conflictsIn,
  describeDraft,
  FIELD_NAMES,
  fieldsOf,
  fieldText,
  type KeyDraft,
  mergedDraft,
  type StoredKey,
  writeOf,
} from "./key-draft.ts";
import { KeyForm } from "./key-form.tsx";
import { type Key, limitsOf, powerOf, TYPE_NAMES, TYPE_USES, writeLimitOf } from "./key-words.ts";
import styles from "./keys.module.css";
import { StateBadge } from "./list.tsx";

const FROM = "/projects/$projectID/keys/$id";

export default function KeyPage() {
  const { id } = useParams({ from: FROM });
  const refusal = useRefusal()("read_keys");
  if (refusal === undefined) return <KeyOf key={id} id={id} />;
  return (
    <Page title="Key">
      <Empty title="You may not see the keys">{refusal}</Empty>
    </Page>
  );
}

function KeyOf({ id }: { id: string }) {
  const { projectID } = useParams({ from: FROM });
  const { data: answer } = useSuspenseQuery(query("getKey", { path: { id } }));
  const stored = useMemo((): StoredKey => ({ key: answer.data, etag: answer.etag ?? "" }), [answer]);
  const { key } = stored;
  const [edits, setEdits] = useState<KeyDraft>();
  const [step, setStep] = useState<"edit" | "review" | "conflict">("edit");
  const [refused, setRefused] = useState<ConsoleApiError>();
  const refusal = useRefusal()("manage_keys");
  const draft = edits ?? { stored, fields: fieldsOf(key) };
  const count = edits ? changedFields(edits).length : 0;
  const isBehind = edits !== undefined && edits.stored.etag !== stored.etag;
  const faults = violationsOf(refused);
  const keep = (changed: KeyDraft) => setEdits(changedFields(changed).length === 0 ? undefined : changed);
  const saved = async () => {
    setEdits(undefined);
    setStep("edit");
    await invalidate("getKey", "listKeys", "listChanges");
    toast({ text: "The key is saved" });
  };
  const readAgain = async () => {
    await invalidate("getKey");
    setStep("conflict");
  };
  return (
    <Page
      title={key.description || key.hint || key.id}
      above={
        <Link to="/projects/$projectID/keys" params={{ projectID }}>
          Keys
        </Link>
      }
      beside={
        <>
          <StateBadge of={key} />
          <code>{key.hint ?? key.id}</code>
        </>
      }
      actions={<KeyActions stored={stored} hasDraft={count > 0} />}
    >
      {refusal !== undefined && <Notice>{refusal}</Notice>}
      {key.isOrphaned && <Notice tone="warn">Whoever made this key is no longer a member of the project. The key works as before.</Notice>}
      <div className={styles.columns}>
        <Section title="Settings">
          <div className={styles.card}>
            <KeyForm
              type={key.type}
              fields={draft.fields}
              onChange={(changed) => {
                setRefused(undefined);
                keep({ ...draft, fields: { ...draft.fields, ...changed } });
              }}
              isDisabled={refusal !== undefined}
              faultAt={(name) => faults.get(name)}
            />
          </div>
        </Section>
        <Facts of={key} />
      </div>
      <SaveBar
        count={count}
        isBehind={isBehind}
        onReview={() => setStep(isBehind ? "conflict" : "review")}
        onDiscard={() => setEdits(undefined)}
      />
      {step === "review" && edits && (
        <Review
          title="Review the changes of the key"
          write={writeOf(edits)}
          inWords={() => describeDraft(edits)}
          onClose={() => setStep("edit")}
          onSaved={() => void saved()}
          onConflict={() => void readAgain()}
          conflictLabel="See what you both changed"
          onRefused={setRefused}
        />
      )}
      {step === "conflict" && edits && (
        <Conflict
          conflicts={conflictsIn(edits, stored)}
          nameOf={(name) => FIELD_NAMES[name]}
          textOf={fieldText}
          saidBy={`${key.lastModifierName ?? "Somebody"} saved version ${key.version} since you began with version ${edits.stored.key.version}.`}
          onClose={() => setStep("edit")}
          onReload={() => {
            setEdits(undefined);
            setStep("edit");
          }}
          onMerge={(choices) => {
            const merged = mergedDraft(edits, stored, choices);
            keep(merged);
            setStep(changedFields(merged).length === 0 ? "edit" : "review");
          }}
        />
      )}
    </Page>
  );
}

/** What the key is, as it is stored. */
function Facts({ of: key }: { of: Key }) {
  const writeLimit = writeLimitOf(key);
  return (
    <Section title="What it is">
      <dl className={styles.facts}>
        <dt>Type</dt>
        <dd>
          {TYPE_NAMES[key.type]}. {TYPE_USES[key.type]}
        </dd>
        <dt>May</dt>
        <dd>{powerOf(key)}</dd>
        <dt>Where</dt>
        <dd>
          <bdi>{limitsOf(key)}</bdi>
          {writeLimit !== undefined && <p className={styles.soft}>{writeLimit}</p>}
        </dd>
        <dt>Last used</dt>
        <dd>{key.lastUsed === null ? "Never" : <Time time={Date.parse(key.lastUsed)} />}</dd>
        <dt>Expires</dt>
        <dd>{key.expiresTime === null ? "Never" : <Time time={key.expiresTime} />}</dd>
        <dt>Created</dt>
        <dd>
          <Time time={key.createdTime} />
          {key.creatorName !== null && (
            <>
              {" by "}
              <bdi>{key.creatorName}</bdi>
            </>
          )}
        </dd>
        <dt>Id</dt>
        <dd>
          <code>{key.id}</code>
        </dd>
      </dl>
    </Section>
  );
}
