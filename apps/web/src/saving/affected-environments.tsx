/** Names the environments where users may get something else. @param of environments in words, for each changed entity */
export function AffectedEnvironments({ of }: { of: readonly string[] }) {
  return of.map((environments) => (
    <p key={environments}>
      Affects users in <strong>{environments}</strong>.
    </p>
  ));
}
