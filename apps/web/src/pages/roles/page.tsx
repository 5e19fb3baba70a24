import { useSuspenseQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { type Changes, currentProjectID, invalidate, query } from "../../api.ts";
import { Conflict } from "../../saving/conflict.tsx";
import { Review } from "../../saving/review.tsx";
import { SaveBar } from "../../saving/save-bar.tsx";
import { useProject, useRefusal } from "../../session/account.ts";
import { PERMISSION_GROUPS, PERMISSION_WORDS, type PermissionName, WITHOUT_EFFECT } from "../../session/permissions.ts";
import { Page, Section } from "../../shell/page.tsx";
import { type DescribedEntity, describeChanges } from "../../targeting/changes.ts";
import { subject, text } from "../../targeting/parts.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { toast } from "../../ui/toast.tsx";
import { DeleteRole } from "./delete.tsx";
import { conflictsIn, countChanges, draftOf, mergedDraft, type RoleDraft, type Stored, setPermission, writeOf } from "./role-draft.ts";
import styles from "./roles.module.css";

const FROM = "/projects/$projectID/roles/$id";

export default function RolePage() {
  const { id } = useParams({ from: FROM });
  return <RoleOf key={`${currentProjectID()} ${id}`} id={id} />;
}

function RoleOf({ id }: { id: string }) {
  const { data: answer } = useSuspenseQuery(query("getRole", { path: { id } }));
  const stored = useMemo((): Stored => ({ role: answer.data, etag: answer.etag ?? "" }), [answer]);
  const { role } = stored;
  const { projectID } = useParams({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const [edits, setEdits] = useState<RoleDraft>();
  const [step, setStep] = useState<"edit" | "review" | "conflict" | "delete">("edit");
  const { permissions: mine } = useProject();
  const refusal = useRefusal()("manage_roles");
  const disabledReason = refusal ?? (role.isBuiltIn ? "Nobody can change a built-in role. Create your own role from it." : undefined);
  const draft = edits ?? draftOf(stored);
  const count = edits ? countChanges(edits) : 0;
  const edit = (changed: RoleDraft) => setEdits(countChanges(changed) === 0 ? undefined : changed);
  const isBehind = edits !== undefined && edits.stored.etag !== stored.etag;
  const row = (name: PermissionName, words: string) => (
    <li key={name}>
      <Checkbox
        isSelected={draft.permissions[name] === true}
        onChange={(isGiven) => edit(setPermission(draft, name, isGiven))}
        isDisabled={disabledReason !== undefined || (mine[name] !== true && draft.permissions[name] !== true)}
      >
        <span className={styles.permission}>
          {words}
          {disabledReason === undefined && mine[name] !== true && <span className={styles.soft}>You lack this permission yourself.</span>}
        </span>
      </Checkbox>
    </li>
  );
  const saved = async () => {
    setEdits(undefined);
    setStep("edit");
    await invalidate("getRole", "listRoles", "listChanges", "getSession");
    toast({ text: `${role.name} is saved` });
  };
  return (
    <Page
      title={role.name}
      above={
        <Link to="/projects/$projectID/roles" params={{ projectID }}>
          Roles
        </Link>
      }
      beside={role.isBuiltIn && <Badge>Built-in</Badge>}
      actions={
        <Button
          onPress={() => setStep("delete")}
          disabledReason={disabledReason ?? (count > 0 ? "Save or discard your changes first." : undefined)}
        >
          Delete
        </Button>
      }
    >
      {disabledReason !== undefined && <Notice>{disabledReason}</Notice>}
      {PERMISSION_GROUPS.map(({ name, permissions }) => (
        <Section key={name} title={name}>
          <ul className={styles.permissions}>
            {(Object.entries(permissions) as [PermissionName, string][]).map(([permission, words]) => row(permission, words))}
          </ul>
        </Section>
      ))}
      <Section title="Without effect" description="No operation asks for these yet. The server keeps them for existing clients.">
        <ul className={styles.permissions}>
          {(Object.entries(WITHOUT_EFFECT) as [PermissionName, string][]).map(([permission, words]) => row(permission, words))}
        </ul>
      </Section>
      <SaveBar
        count={count}
        isBehind={isBehind}
        onReview={() => setStep(isBehind ? "conflict" : "review")}
        onDiscard={() => setEdits(undefined)}
      />
      {step === "review" && edits && (
        <Review
          title={`Review the changes of ${role.name}`}
          write={writeOf(edits)}
          inWords={inWords}
          isTargeting={false}
          onClose={() => setStep("edit")}
          onSaved={() => void saved()}
          onConflict={() => void invalidate("getRole").then(() => setStep("conflict"))}
          conflictLabel="See what you both changed"
        >
          <p>This applies within a second to everybody and every key with this role.</p>
        </Review>
      )}
      {step === "conflict" && edits && (
        <Conflict
          conflicts={conflictsIn(edits, stored)}
          nameOf={wordsOf}
          textOf={(_, value) => (value === true ? "Permitted" : "Not permitted")}
          saidBy={`${role.lastModifierName ?? "Somebody"} saved version ${role.version} since you began with version ${edits.stored.role.version}.`}
          onClose={() => setStep("edit")}
          onReload={() => {
            setEdits(undefined);
            setStep("edit");
          }}
          onMerge={(choices) => {
            const merged = mergedDraft(edits, stored, choices);
            edit(merged);
            setStep(countChanges(merged) === 0 ? "edit" : "review");
          }}
        />
      )}
      {step === "delete" && (
        <DeleteRole
          role={role}
          etag={stored.etag}
          onClose={() => setStep("edit")}
          onDeleted={() => void navigate({ to: "/projects/$projectID/roles" })}
        />
      )}
    </Page>
  );
}

const wordsOf = (name: PermissionName): string =>
  PERMISSION_WORDS.get(name) ?? (WITHOUT_EFFECT as Partial<Record<PermissionName, string>>)[name] ?? name;

/** Changes of permissions as sentences. */
function inWords(changes: Changes): DescribedEntity[] {
  return describeChanges(changes, []).map((entity) => ({
    ...entity,
    changes: entity.changes.map((change) => {
      const name = change.field.replace(/^permissions\./, "") as PermissionName;
      const source = changes.find(({ entityID }) => entityID === entity.entityID)?.fields.find(({ field }) => field === change.field);
      return wordsOf(name) === name
        ? change
        : { ...change, parts: [text(source?.after === true ? "Now permitted:" : "No longer permitted:"), subject(wordsOf(name))] };
    }),
  }));
}
