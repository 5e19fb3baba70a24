import { Badge } from "../ui/badge.tsx";
import { listed } from "../ui/list-text.ts";

/** More names are counted. */
const MAX_NAMES = 2;

/** The environments where a gate or dynamic config is off. Nothing while it is off everywhere. */
export function OffBadge({
  of: { isEnabled, disabledEnvironments: off = [] },
}: {
  of: { isEnabled: boolean; disabledEnvironments?: string[] };
}) {
  if (!isEnabled || off.length === 0) return null;
  return (
    <Badge tone="off">
      Off in <bdi>{off.length > MAX_NAMES ? `${off.length} environments` : listed(off)}</bdi>
    </Badge>
  );
}
