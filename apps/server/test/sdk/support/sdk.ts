import type { User } from "@gatehouse/evaluation";

/** What an application was answered, and the rule that decided. */
export type Answer = { value: unknown; ruleID: string };

/** Where an application reads its flags, with the keys it was given. */
export type Connection = {
  url: string;
  serverKey: string;
  clientKey: string;
  /** A client key that may download rulesets. */
  rulesetKey: string;
  /** For whom a client SDK starts. */
  user: User;
};

/** An application that reads its flags with an SDK: one shape for all of them. */
export type Application = {
  gate(name: string, user: User): Promise<Answer>;
  config(name: string, user: User): Promise<Answer>;
  experiment(name: string, user: User): Promise<Answer>;
  layer(name: string, user: User, parameter: string): Promise<Answer>;
  /** Sends what was logged; what cannot be sent now is sent later. */
  flush(): Promise<void>;
  stop(): Promise<void>;
};

export type Sdk = { name: string; start(connection: Connection): Promise<Application> };
