import { useSuspenseQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useMemo } from "react";
import { query } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { EntityPage } from "../../entity/entity-page.tsx";
import { kinds } from "../../kinds/kinds.ts";
import { setFields } from "../../saving/draft-model.ts";
import { useRefusal } from "../../session/account.ts";
import { ActorName } from "../../shell/actor-name.tsx";
import { Page, Section } from "../../shell/page.tsx";
import { Empty, Notice } from "../../ui/notice.tsx";
import { Time } from "../../ui/time.tsx";
import { KeyActions } from "./key-actions.tsx";
import { describeDraft, keyModel, type StoredKey, toWriteRequests } from "./key-draft.ts";
import { KeyForm } from "./key-form.tsx";
import { describeLimits, describePower, describeWriteLimit, type Key, TYPE_NAMES, TYPE_USES } from "./key-words.ts";
import styles from "./keys.module.css";
import { StateBadge } from "./list.tsx";

const FROM = "/projects/$projectID/keys/$id";

export default function KeyPage() {
  const { id } = useParams({ from: FROM });
  const refusal = useRefusal()("read_keys");
  if (refusal === undefined) return <KeyView key={id} id={id} />;
  return (
    <Page title="Key">
      <Empty title="You can’t view keys">{refusal}</Empty>
    </Page>
  );
}

function KeyView({ id }: { id: string }) {
  const { projectID } = useParams({ from: FROM });
  const { data: answer } = useSuspenseQuery(query("getKey", { path: { id } }));
  const stored = useMemo((): StoredKey => ({ entity: answer.data, etag: answer.etag ?? "" }), [answer]);
  const { entity: key } = stored;
  return (
    <EntityPage
      noun="key"
      title={key.description || key.hint || key.id}
      list={
        <Link to="/projects/$projectID/keys" params={{ projectID }}>
          Keys
        </Link>
      }
      stored={stored}
      model={keyModel}
      permission="manage_keys"
      beside={
        <>
          <StateBadge of={key} />
          <code>{key.hint ?? key.id}</code>
        </>
      }
      notices={key.isOrphaned && <Notice tone="warn">The creator of this key left the project. The key still works.</Notice>}
      actions={({ count }) => <KeyActions stored={stored} hasDraft={count > 0} />}
      write={toWriteRequests}
      inWords={describeDraft}
      reads={{ own: ["getKey"], others: ["listKeys"] }}
      tabs={kinds.key.tabs}
      content={(_, { draft, onChange, disabledReason, faults }) => (
        <div className={entity.columns}>
          <Section title="Settings">
            <div className={entity.card}>
              <KeyForm
                type={key.type}
                fields={draft.fields}
                onChange={(changed) => onChange(setFields(draft, changed))}
                isDisabled={disabledReason !== undefined}
                faultAt={(name) => faults.find(({ property }) => property === name)?.message}
              />
            </div>
          </Section>
          <Facts of={key} />
        </div>
      )}
    />
  );
}

/** Facts about the stored key. */
function Facts({ of: key }: { of: Key }) {
  const writeLimit = describeWriteLimit(key);
  return (
    <Section title="About this key">
      <dl className={styles.facts}>
        <dt>Type</dt>
        <dd>
          {TYPE_NAMES[key.type]}. {TYPE_USES[key.type]}
        </dd>
        <dt>Permissions</dt>
        <dd>{describePower(key)}</dd>
        <dt>Limited to</dt>
        <dd>
          <bdi>{describeLimits(key)}</bdi>
          {writeLimit !== undefined && <p className={entity.soft}>{writeLimit}</p>}
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
              <ActorName id={key.creatorID} name={key.creatorName} />
            </>
          )}
        </dd>
        <dt>ID</dt>
        <dd>
          <code>{key.id}</code>
        </dd>
      </dl>
    </Section>
  );
}
