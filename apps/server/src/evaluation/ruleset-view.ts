import type { Evaluator, RulesetV1 } from "@gatehouse/evaluation";
import type { KeyScope } from "../context.ts";

/** A text as it is sent: made once, and once for each encoding that somebody asks for. */
export type Sendable = { bytes(encoding: "identity" | "gzip" | "br"): Promise<Buffer> };

/** What a key sees of a project's ruleset, as of one moment. It never changes: a change makes another. */
export type RulesetView = {
  ruleset: RulesetV1;
  evaluator: Evaluator;
  /** When the ruleset last changed, ms. Of two views of a project, the later never has the lower one. */
  time: number;
  /** Differs where the content differs; the same on every replica. */
  checksum: string;
  /** As `download_config_specs` answers it, in both shapes. */
  v1: Sendable;
  v2: Sendable;
};

/** The rulesets of every project, kept up to date with the change log. */
export type Rulesets = {
  /** As of the last change that this replica knows of. @throws AppError unavailable while it has never been read */
  view(projectID: string, scope: KeyScope): Promise<RulesetView>;
  /** Told after each change that views show already. Returns what ends it. */
  subscribe(projectID: string, listener: () => void): () => void;
};
