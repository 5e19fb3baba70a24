import { currentProjectID } from "../api.ts";
import { useAccount } from "../session/account.ts";
import { useKept } from "../shell/kept.ts";
import { type ListSettings, parseListSettings } from "./list-settings.ts";

/** The reader's columns and views of a list, kept in this browser for each project. @param list plural of the listed entities */
export function useListSettings(list: string): [ListSettings, (changed: Partial<ListSettings>) => void] {
  const { person } = useAccount();
  const [kept, keep] = useKept(`gatehouse.list.${currentProjectID()}.${person.id}.${list}`);
  const settings = parseListSettings(kept);
  return [settings, (changed) => keep(JSON.stringify({ ...settings, ...changed }))];
}
