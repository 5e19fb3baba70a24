import type { Schema } from "../../api.ts";
import type { Tone } from "../../ui/badge.tsx";

export const STATUS_TONES: Record<Schema<"DynamicConfig">["status"], Tone> = { Enabled: "active", Disabled: "off", Archived: "archived" };
