import { useQuery } from "@tanstack/react-query";
import { query } from "../api.ts";
import { Select } from "../ui/choice.tsx";

/** A team as entities name it. */
export type TeamView = { teamID: string | null; team: string | null };

const NONE = "none";
const MAX_TEAMS = 1_000;

/** The teams of the project, and whether its settings require one. */
export function useTeams() {
  const { data: teams } = useQuery(query("listTeams", { query: { limit: MAX_TEAMS } }));
  const { data: settings } = useQuery(query("getSettings"));
  return { teams: teams?.data ?? [], isRequired: settings?.data.require_teams_on_configs === true };
}

type Props = {
  value: string | null;
  onChange: (team: TeamView) => void;
  error?: string | undefined;
  isDisabled?: boolean;
};

/** The team that owns an entity. Left out in projects without teams that require none. */
export function TeamField({ value, onChange, error, isDisabled = false }: Props) {
  const { teams, isRequired } = useTeams();
  if (teams.length === 0 && !isRequired && value === null) return null;
  const options = teams.map(({ id, name }) => ({ id: `=${id}`, label: name }));
  const choose = (option: string) => {
    const team = teams.find(({ id }) => `=${id}` === option);
    onChange({ teamID: team?.id ?? null, team: team?.name ?? null });
  };
  return (
    <Select
      label="Team"
      options={isRequired && value === null ? options : [{ id: NONE, label: "No team" }, ...options]}
      value={value === null ? (isRequired ? null : NONE) : `=${value}`}
      onChange={choose}
      placeholder="Choose a team"
      description={teams.length === 0 ? "This project requires a team. Create one on the Teams page first." : undefined}
      error={error}
      isDisabled={isDisabled}
    />
  );
}

/** Lists what one team owns. Left out in projects without teams. */
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
