import { useSuspenseQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { type ConsoleApiError, currentProjectID, invalidate, query } from "../../api.ts";
import { Conflict } from "../../saving/conflict.tsx";
import { Review } from "../../saving/review.tsx";
import { SaveBar } from "../../saving/save-bar.tsx";
import { useRefusal } from "../../session/account.ts";
import { violationsOf } from "../../shell/explain.ts";
import { Page, Section } from "../../shell/page.tsx";
import { describeChanges } from "../../targeting/changes.ts";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/choice.tsx";
import { Checkbox, TextField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { toast } from "../../ui/toast.tsx";
import { TeamPeople } from "./people.tsx";
import {
  conflictsIn,
  countChanges,
  draftOf,
  FIELD_NAMES,
  mergedDraft,
  type Stored,
  setFields,
  type TeamDraft,
  writeOf,
} from "./team-draft.ts";
import styles from "./teams.module.css";

const FROM = "/projects/$projectID/teams/$id";

export default function TeamPage() {
  const { id } = useParams({ from: FROM });
  return <TeamOf key={`${currentProjectID()} ${id}`} id={id} />;
}

function TeamOf({ id }: { id: string }) {
  const { data: answer } = useSuspenseQuery(query("getTeam", { path: { id } }));
  const stored = useMemo((): Stored => ({ team: answer.data, etag: answer.etag ?? "" }), [answer]);
  const { team } = stored;
  const { projectID } = useParams({ from: FROM });
  const [edits, setEdits] = useState<TeamDraft>();
  const [refused, setRefused] = useState<ConsoleApiError>();
  const [step, setStep] = useState<"edit" | "review" | "conflict" | "delete">("edit");
  const refusal = useRefusal()("create_teams");
  const isDisabled = refusal !== undefined;
  const draft = edits ?? draftOf(stored);
  const count = edits ? countChanges(edits) : 0;
  const faults = violationsOf(refused);
  const edit = (changed: TeamDraft) => {
    setRefused(undefined);
    setEdits(countChanges(changed) === 0 ? undefined : changed);
  };
  const isBehind = edits !== undefined && edits.stored.etag !== stored.etag;
  const saved = async () => {
    setEdits(undefined);
    setStep("edit");
    await invalidate("getTeam", "listTeams", "listChanges");
    toast({ text: `${draft.fields.name} is saved` });
  };
  return (
    <Page
      title={team.name}
      above={
        <Link to="/projects/$projectID/teams" params={{ projectID }}>
          Teams
        </Link>
      }
      actions={
        <Button
          onPress={() => setStep("delete")}
          disabledReason={refusal ?? (count > 0 ? "Save or discard your changes first." : undefined)}
        >
          Delete
        </Button>
      }
    >
      {refusal !== undefined && <Notice>{refusal}</Notice>}
      <div className={styles.columns}>
        <Section title="Who is in it">
          <TeamPeople draft={draft} onChange={edit} isDisabled={isDisabled} />
        </Section>
        <Section title="Team">
          <div className={styles.card}>
            <TextField
              label="Name"
              value={draft.fields.name}
              onChange={(name) => edit(setFields(draft, { name }))}
              isDisabled={isDisabled}
              description="What has the team's name gets the new one."
              error={faults.get("name")}
            />
            <TextField
              label="Description"
              rows={3}
              value={draft.fields.description}
              onChange={(description) => edit(setFields(draft, { description }))}
              isDisabled={isDisabled}
              error={faults.get("description")}
            />
            <Select
              label="Who may change what belongs to the team"
              options={[
                { id: "anyone", label: "Anyone whose role permits it" },
                { id: "team_only", label: "Only the team, and who may change teams" },
              ]}
              value={draft.fields.changeTeamConfigs}
              onChange={(who) => edit(setFields(draft, { changeTeamConfigs: who === "team_only" ? "team_only" : "anyone" }))}
              isDisabled={isDisabled}
              description="A key is in no team."
            />
          </div>
        </Section>
      </div>
      <SaveBar
        count={count}
        isBehind={isBehind}
        onReview={() => setStep(isBehind ? "conflict" : "review")}
        onDiscard={() => edit(draftOf(stored))}
      />
      {step === "review" && edits && (
        <Review
          title={`Review the changes of ${team.name}`}
          write={writeOf(edits)}
          inWords={(changes) => describeChanges(changes, [])}
          isTargeting={false}
          onClose={() => setStep("edit")}
          onSaved={() => void saved()}
          onConflict={() => void invalidate("getTeam").then(() => setStep("conflict"))}
          conflictLabel="See what you both changed"
          onRefused={setRefused}
        />
      )}
      {step === "conflict" && edits && (
        <Conflict
          conflicts={conflictsIn(edits, stored)}
          nameOf={(field) => FIELD_NAMES[field]}
          textOf={(_, value) => (Array.isArray(value) ? value.join("\n") || "Nobody" : String(value) || "Empty")}
          saidBy={`${team.lastModifierName ?? "Somebody"} saved version ${team.version} since you began with version ${edits.stored.team.version}.`}
          onClose={() => setStep("edit")}
          onReload={() => {
            edit(draftOf(stored));
            setStep("edit");
          }}
          onMerge={(choices) => {
            const merged = mergedDraft(edits, stored, choices);
            edit(merged);
            setStep(countChanges(merged) === 0 ? "edit" : "review");
          }}
        />
      )}
      {step === "delete" && <DeleteTeam stored={stored} onClose={() => setStep("edit")} />}
    </Page>
  );
}

function DeleteTeam({ stored: { team, etag }, onClose }: { stored: Stored; onClose: () => void }) {
  const [isForced, setForced] = useState(false);
  const navigate = useNavigate({ from: FROM });
  const saved = async () => {
    onClose();
    await navigate({ to: "/projects/$projectID/teams" });
    await invalidate("listTeams", "listChanges");
    toast({ text: `${team.name} is deleted` });
  };
  return (
    <Review
      title={`Delete ${team.name}?`}
      saveLabel="Delete"
      isTargeting={false}
      write={[{ operationId: "deleteTeam", path: { id: team.id }, ifMatch: etag, ...(isForced && { query: { forceArchive: true } }) }]}
      inWords={(changes) => describeChanges(changes, [])}
      onClose={onClose}
      onConflict={() => {
        onClose();
        void invalidate("getTeam");
      }}
      onSaved={() => void saved()}
      choices={
        <Checkbox isSelected={isForced} onChange={setForced}>
          Delete it even if something belongs to it
        </Checkbox>
      }
    />
  );
}
