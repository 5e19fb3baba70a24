import type { User } from "@gatehouse/evaluation";

/** A value that an application read, and the deciding rule. */
export type Answer = { value: unknown; ruleID: string };

/** The server that an application reads its flags from, and the application's keys. */
export type Connection = {
  url: string;
  serverKey: string;
  clientKey: string;
  /** A client key with permission to download rulesets. */
  rulesetKey: string;
  /** The user of a client SDK. */
  user: User;
};

/** An application that reads its flags with an SDK: one interface for all SDKs. */
export type Application = {
  gate(name: string, user: User): Promise<Answer>;
  config(name: string, user: User): Promise<Answer>;
  experiment(name: string, user: User): Promise<Answer>;
  layer(name: string, user: User, parameter: string): Promise<Answer>;
  /** Sends logged events. Events that cannot be sent now are retried later. */
  flush(): Promise<void>;
  stop(): Promise<void>;
};

export type Sdk = { name: string; start(connection: Connection): Promise<Application> };
