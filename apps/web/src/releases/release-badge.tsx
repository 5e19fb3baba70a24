import { Badge } from "../ui/badge.tsx";

/** In lists: the phase of the release that an entity is in. */
export function ReleaseBadge({ of: { activeRelease } }: { of: { activeRelease?: { currentPhase?: string } } }) {
  if (activeRelease === undefined) return null;
  const { currentPhase } = activeRelease;
  return (
    <Badge tone="active">
      {currentPhase === undefined ? (
        "Releasing"
      ) : (
        <>
          Releasing: <bdi>{currentPhase}</bdi>
        </>
      )}
    </Badge>
  );
}
