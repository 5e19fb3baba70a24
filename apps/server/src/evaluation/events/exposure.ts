import { hash } from "node:crypto";
import type { ConfigEvaluation, GateEvaluation, LayerEvaluation, User } from "@gatehouse/evaluation";
import type { EventOrigin } from "./event-origin.ts";
import { readEnvironment } from "./logged-event.ts";

/** An exposure that the server logs, since it evaluated for the caller. */
export type Exposure = {
  name: string;
  user: User;
  /** The `source` of the event. */
  source: string;
  /** That of the ruleset that decided. */
  origin: EventOrigin;
} & (
  | { kind: "gate"; evaluation: Pick<GateEvaluation, "value" | "ruleID" | "secondaryExposures"> }
  | { kind: "config"; evaluation: Pick<ConfigEvaluation, "ruleID" | "secondaryExposures"> }
  | { kind: "layer"; evaluation: Pick<LayerEvaluation, "ruleID" | "allocatedExperiment" | "secondaryExposures"> }
);

/** Longer keys are replaced by their hash: a user may have a MiB of attributes. */
const MAX_KEY_LENGTH = 256;

/** Identifies repetitions of an exposure of a unit. */
export function exposureKey(projectID: string, { kind, name, user, evaluation, origin }: Exposure): string {
  const value = kind === "gate" ? evaluation.value : kind === "layer" ? evaluation.allocatedExperiment : null;
  const unit = [user.userID ?? "", user.customIDs ?? null, readEnvironment(user, origin.defaultEnvironment)];
  const key = JSON.stringify([projectID, kind, name, value, evaluation.ruleID, ...unit]);
  return key.length > MAX_KEY_LENGTH ? hash("sha256", key, "base64url") : key;
}

/** The event that SDKs log for an exposure. @param time of the evaluation, ms since the epoch */
export function toEvent({ kind, name, user, evaluation }: Exposure, time: number): object {
  const { ruleID, secondaryExposures } = evaluation;
  const { privateAttributes: _, ...logged } = user;
  const event = { eventName: `statsig::${kind}_exposure`, user: logged, time, secondaryExposures };
  switch (kind) {
    case "gate":
      return { ...event, metadata: { gate: name, gateValue: String(evaluation.value), ruleID } };
    case "config":
      return { ...event, metadata: { config: name, ruleID } };
    case "layer":
      return { ...event, metadata: { config: name, ruleID, allocatedExperiment: evaluation.allocatedExperiment } };
  }
}
