import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { query } from "../api.ts";
import { plainly } from "../explain.ts";
import type { TeamFields } from "../targeting/team-fields.ts";
import { Select } from "../ui/choice.tsx";

const NONE = "none";
const UNLISTED = "unlisted";
/** The fault of a field that needs a value. */
const MISSING = plainly("is required");
const MAX_TEAMS = 1_000;

/** The teams of the project, and whether its settings require one. */
export function useTeams() {
  const { data: teams } = useQuery(query("listTeams", { query: { limit: MAX_TEAMS } }));
  const { data: settings } = useQuery(query("getSettings"));
  return { teams: teams?.data ?? [], hasNone: teams?.data.length === 0, isRequired: settings?.data.require_teams_on_configs === true };
}

type Props = {
  value: TeamFields;
  onChange: (team: TeamFields) => void;
  error?: string | undefined;
  isDisabled?: boolean;
};

/** Shown where a team is required and the project has none. */
export function NoTeams({ children }: { children: string }) {
  const { projectID } = useParams({ strict: false });
  return (
    <>
      {children}{" "}
      {projectID === undefined ? (
        "Create one on the Teams page first."
      ) : (
        <Link to="/projects/$projectID/teams" params={{ projectID }}>
          Create a team first
        </Link>
      )}
    </>
  );
}

/** The team that owns an entity. Left out in projects without teams that require none. */
export function TeamField({ value, onChange, error, isDisabled = false }: Props) {
  const { teams, hasNone, isRequired } = useTeams();
  const hasTeam = Boolean(value.teamID || value.team);
  if (teams.length === 0 && !isRequired && !hasTeam) return null;
  const owner = teams.find(({ id, name }) => (value.teamID ? id === value.teamID : name === value.team));
  const options = [
    ...(isRequired && !hasTeam ? [] : [{ id: NONE, label: "No team" }]),
    ...teams.map(({ id, name }) => ({ id: `=${id}`, label: name })),
    // The API takes names of teams that do not exist.
    ...(hasTeam && owner === undefined ? [{ id: UNLISTED, label: value.team || value.teamID || "" }] : []),
  ];
  const choose = (option: string) => {
    if (option === UNLISTED) return;
    const team = teams.find(({ id }) => `=${id}` === option);
    onChange({ teamID: team?.id ?? null, team: team?.name ?? null });
  };
  return (
    <Select
      label="Team"
      options={options}
      value={owner ? `=${owner.id}` : hasTeam ? UNLISTED : isRequired ? null : NONE}
      onChange={choose}
      placeholder="Choose a team"
      description={hasNone && isRequired ? <NoTeams>This project requires a team.</NoTeams> : undefined}
      error={error === MISSING ? "Choose a team." : error}
      isDisabled={isDisabled}
    />
  );
}

/** Lists the entities of one team. Left out in projects without teams. */
export function TeamFilter({ value, onChange }: { value: string | undefined; onChange: (id: string | undefined) => void }) {
  const { teams } = useTeams();
  if (teams.length === 0 && value === undefined) return null;
  return (
    <Select
      label="Team"
      isLabelHidden
      options={[{ id: NONE, label: "Any team" }, ...teams.map(({ id, name }) => ({ id: `=${id}`, label: name }))]}
      value={value === undefined ? NONE : `=${value}`}
      onChange={(id) => onChange(id === NONE ? undefined : id.slice(1))}
    />
  );
}
