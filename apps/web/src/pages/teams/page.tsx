import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useMemo } from "react";
import { currentProjectID, invalidate, query } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { type EditProps, EntityPage } from "../../entity/entity-page.tsx";
import { EntitySteps } from "../../entity/entity-steps.tsx";
import { Facts } from "../../entity/facts.tsx";
import { HistoryTab, MAX_VERSIONS } from "../../entity/history-tab.tsx";
import { kinds } from "../../kinds/kinds.ts";
import { setFields } from "../../saving/draft-model.ts";
import { useRefusal } from "../../session/account.ts";
import { Section } from "../../shell/page.tsx";
import { Select } from "../../ui/choice.tsx";
import { TextField } from "../../ui/field.tsx";
import { TeamPeople } from "./people.tsx";
import { describeDraft, describeVersions, type Fields, type StoredTeam, type TeamDraft, teamModel, toWriteRequests } from "./team-draft.ts";

const FROM = "/projects/$projectID/teams/$id";

export default function TeamPage() {
  const { id } = useParams({ from: FROM });
  return <TeamView key={`${currentProjectID()} ${id}`} id={id} />;
}

function TeamView({ id }: { id: string }) {
  const { projectID } = useParams({ from: FROM });
  const { data: answer } = useSuspenseQuery(query("getTeam", { path: { id } }));
  const stored = useMemo((): StoredTeam => ({ entity: answer.data, etag: answer.etag ?? "" }), [answer]);
  const { entity: team } = stored;
  const navigate = useNavigate({ from: FROM });
  const refusal = useRefusal()("create_teams");
  return (
    <EntityPage
      noun="team"
      list={
        <Link to="/projects/$projectID/teams" params={{ projectID }}>
          Teams
        </Link>
      }
      stored={stored}
      model={teamModel}
      permission="create_teams"
      write={toWriteRequests}
      inWords={describeDraft}
      reads={{ own: ["getTeam"], others: ["listTeams", "listTeamVersions"] }}
      actions={({ count }) => (
        <EntitySteps
          name={team.name}
          hasDraft={count > 0}
          steps={[
            {
              id: "delete",
              label: "Delete",
              request: { operationId: "deleteTeam", path: { id }, ifMatch: stored.etag },
              about: <p>Members keep their roles. Anyone with the permission can then edit what the team owned.</p>,
              canForce: true,
              done: "is deleted",
              isRestorable: true,
              disabledReason: refusal,
              isDangerous: true,
            },
          ]}
          onConflict={() => void invalidate("getTeam")}
          onDone={async () => {
            await navigate({ to: "/projects/$projectID/teams" });
            await invalidate("listTeams", "listChanges");
          }}
        />
      )}
      tabs={kinds.team.tabs}
      content={(tab, shared, restoreReason) => {
        switch (tab) {
          case "team":
            return <TeamTab {...shared} />;
          case "history":
            return <TeamHistory stored={stored} disabledReason={restoreReason} />;
        }
      }}
    />
  );
}

const REVIEW_REQUIREMENTS = [
  { id: "project", label: "As set for the project" },
  { id: "required", label: "Need a review" },
  { id: "free", label: "Need no review" },
];

const APPROVERS = [
  { id: "anyone", label: "Anyone whose role can approve changes" },
  { id: "team_only", label: "The team’s members and admins" },
  { id: "admin_only", label: "The team’s admins" },
] as const satisfies readonly { id: Fields["reviewApproval"]; label: string }[];

function TeamTab({ draft, onChange, disabledReason, faults }: EditProps<TeamDraft>) {
  const { fields, stored } = draft;
  const set = (changed: Partial<Fields>) => onChange(setFields(draft, changed));
  const faultAt = (property: string) => faults.find((fault) => fault.property === property)?.message;
  const isDisabled = disabledReason !== undefined;
  return (
    <div className={entity.columns}>
      <Section title="Members">
        <TeamPeople draft={draft} onChange={onChange} isDisabled={isDisabled} />
      </Section>
      <Section title="Team">
        <div className={entity.card}>
          <TextField
            label="Name"
            value={fields.name}
            onChange={(name) => set({ name })}
            isDisabled={isDisabled}
            description="Everything the team owns gets the new name."
            error={faultAt("name")}
          />
          <TextField
            label="Description"
            rows={3}
            value={fields.description}
            onChange={(description) => set({ description })}
            isDisabled={isDisabled}
            error={faultAt("description")}
          />
          <Select
            label="Edit access to the team’s entities"
            options={[
              { id: "anyone", label: "Anyone with the permission" },
              { id: "team_only", label: "Only the team, and people who can manage teams" },
            ]}
            value={fields.changeTeamConfigs}
            onChange={(who) => set({ changeTeamConfigs: who === "team_only" ? "team_only" : "anyone" })}
            isDisabled={isDisabled}
            description="Keys don’t belong to teams."
          />
        </div>
      </Section>
      <Section title="Reviews">
        <div className={entity.card}>
          <Select
            label="Changes to what users get from the team’s entities"
            options={REVIEW_REQUIREMENTS}
            value={fields.requireReviews === null ? "project" : fields.requireReviews ? "required" : "free"}
            onChange={(id) => set({ requireReviews: id === "project" ? null : id === "required" })}
            isDisabled={isDisabled}
            description="An environment or an entity can require a review too."
          />
          <Select
            label="Who can approve"
            options={APPROVERS}
            value={fields.reviewApproval}
            onChange={(id) => set({ reviewApproval: id as Fields["reviewApproval"] })}
            isDisabled={isDisabled}
            description="Applies to every review of the team’s entities."
          />
        </div>
      </Section>
      <Facts id={stored.entity.id} of={stored.entity} facts={[]} />
    </div>
  );
}

function TeamHistory({ stored: { entity: team, etag }, disabledReason }: { stored: StoredTeam; disabledReason: string | undefined }) {
  const { id, name } = team;
  return (
    <HistoryTab
      read={useQuery(query("listTeamVersions", { path: { id }, query: { limit: MAX_VERSIONS } }))}
      name={name}
      noun="team"
      inWords={(_, before, after) => describeVersions(before, after)}
      restore={(version) => ({ operationId: "restoreTeamVersion", path: { id, version }, ifMatch: etag })}
      disabledReason={disabledReason}
      onReadAgain={() => void invalidate("getTeam", "listTeams", "listTeamVersions", "listChanges")}
    />
  );
}
