import { currentProjectID } from "../api.ts";
import { useKept } from "./kept.ts";

/** Whether the reader hid the banner of the sample project, until they close the tab, and what hides it. */
export function useSampleHidden(): [boolean, () => void] {
  const [kept, keep] = useKept(`gatehouse.sample.${currentProjectID() ?? ""}`, "tab");
  return [kept !== null, () => keep("hidden")];
}
