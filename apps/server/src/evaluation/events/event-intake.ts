import type { ConfigEvaluation, GateEvaluation, LayerEvaluation, User } from "@gatehouse/evaluation";

/** A batch as it was sent: its envelope is what the contract says, its events are looked at one by one. */
export type EventBatch = { events: unknown[]; statsigMetadata?: { sdkType?: string | null; [field: string]: unknown } | null };

/** An event of a batch that is not kept. */
export type RefusedEvent = { index: number; reason: string };

/** What the server itself showed a user, so that no SDK will tell of it. */
export type Exposure = { name: string; user: User /** What asked, as the `source` of events says it. */; source: string } & (
  | { kind: "gate"; evaluation: Pick<GateEvaluation, "value" | "ruleID"> }
  | { kind: "config"; evaluation: Pick<ConfigEvaluation, "ruleID"> }
  | { kind: "layer"; evaluation: Pick<LayerEvaluation, "ruleID" | "allocatedExperiment"> }
);

/** Where all events go that are to be kept. There is one in a server. */
export type EventIntake = {
  /**
   * Keeps a batch and answers when it is durable. A batch that was kept within the last ten minutes is not kept again. Answers which of
   * its events are refused, the first hundred of them.
   * @throws AppError unavailable, with nothing of the batch kept, while the database does not keep up
   */
  log(projectID: string, batch: EventBatch): Promise<{ refused: RefusedEvent[] }>;
  /**
   * Keeps an exposure soon, and the same one of the same unit once a minute. It never waits: what there is no room for is dropped and
   * counted.
   */
  expose(projectID: string, exposure: Exposure): void;
  /** Keeps what is waiting. Nothing may be given to it afterwards. */
  close(): Promise<void>;
};
