import { useState } from "react";
import type { WritableSchema } from "../../api.ts";
import { toOwner } from "../../entity/owner.ts";
import { useAccount } from "../../session/account.ts";
import { toTeamFields } from "../../targeting/team-fields.ts";
import type { StoredExperiment } from "./experiment-draft.ts";

export type Copy = WritableSchema<"ExperimentCopy">;

/** The copy, with the owner and the team of the experiment until others are chosen. The reader owns the copy of an experiment without an owner. */
export function useCopy({ entity: { name, team, teamID, owner } }: StoredExperiment): [Copy, (copy: Copy) => void] {
  const { person } = useAccount();
  const [edited, setEdited] = useState<Copy>();
  return [edited ?? { name: `${name} copy`, ...toTeamFields({ team, teamID }), owner: owner ?? toOwner(person) }, setEdited];
}
