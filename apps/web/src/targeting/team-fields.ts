// The team that owns an entity, as drafts have it. Pure.
import type { FieldWords } from "./field-changes.ts";

/** A team as entities name it. */
export type TeamFields = { team: string | null; teamID: string | null };

/** How every kind names the fields in the review, in conflicts and in the history. */
export const TEAM_WORDS = {
  team: { label: "Team", as: "value" },
  teamID: { label: "Team ID", as: "value" },
} as const satisfies Record<keyof TeamFields, FieldWords>;

/** Fields that name the same thing as another, readable one. A change or choice of the other one applies to both. */
export const FOLLOWING: Readonly<Record<string, string>> = { teamID: "team" };

/** The team of an entity that may leave it out. */
export const toTeamFields = ({ team, teamID }: { team?: string | null; teamID?: string | null }): TeamFields => ({
  team: team ?? null,
  teamID: teamID ?? null,
});
