import { useKept } from "../../shell/kept.ts";

/**
 * The time until which a person has seen the changes of a project, kept in their browser.
 * @returns milliseconds since the epoch; undefined for people who have never marked changes as seen
 */
export function useSeenUntil(projectID: string, personID: string): [number | undefined, (time: number) => void] {
  const [kept, keep] = useKept(`gatehouse.seen.${projectID}.${personID}`);
  const time = Number(kept);
  return [kept !== null && Number.isSafeInteger(time) && time >= 0 ? time : undefined, (seen) => keep(String(seen))];
}
