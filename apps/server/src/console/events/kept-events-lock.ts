/** Locked while events are copied to the kept ones, and while the kept ones of a unit are deleted. */
export const KEPT_EVENTS = "kept events";
