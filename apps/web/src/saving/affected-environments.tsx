import { NO_ENVIRONMENT } from "../targeting/environments-touched.ts";

/** Names the environments where users may get something else. @param of environments in words, for each changed entity */
export function AffectedEnvironments({ of }: { of: readonly string[] }) {
  return of.map((environments) =>
    environments === NO_ENVIRONMENT ? (
      <p key={environments}>Doesn’t affect users.</p>
    ) : (
      <p key={environments}>
        Affects users in <strong>{environments}</strong>.
      </p>
    ),
  );
}

/** Whether it is certain that no user gets something else. */
export const affectsNobody = (of: readonly string[]): boolean =>
  of.length > 0 && of.every((environments) => environments === NO_ENVIRONMENT);
