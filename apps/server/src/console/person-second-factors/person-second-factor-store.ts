import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { countSecondFactors, type FactorCounts } from "../../tokens/second-factor-store.ts";
import { removeSecondFactors, requireActingAs, requireWritingAs } from "../people/acting-as-store.ts";
import type { Person } from "../people/person.ts";

/** The second factors of other people. Every method throws AppError forbidden or not_found for people that the caller can't act as. */
export function createPersonSecondFactorStore(deps: StoreDeps) {
  return {
    async count(person: Person): Promise<FactorCounts> {
      await requireActingAs(deps, person);
      return countSecondFactors(deps.db, person.id);
    },

    /** Ends the person's sessions and one-time links as well. */
    async delete(person: Person): Promise<void> {
      await requireWritingAs(deps, person);
      await removeSecondFactors(deps.db, person, deps.by);
    },
  };
}
