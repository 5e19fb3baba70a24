import type { ChatRequest } from "../../common/chat.ts";

export type ChatOptions = {
  /** Ends the request, and the pauses between attempts. */
  signal: AbortSignal;
  /** Maximum number of attempts. */
  attempts: number;
  /** The pause after the first failure, ms. It doubles with each further one. */
  firstPauseMs: number;
};

/** The models of an endpoint. */
export type Chat = {
  /** The answer of a model. @throws ModelFailure */
  ask(request: ChatRequest, options: ChatOptions): Promise<string>;
};

/** The endpoints at which projects ask models. */
export type Models = {
  /** Why the server may not ask at a URL, as an error message. Undefined if it may. */
  refusal(url: string): string | undefined;
  /** Encrypts the API key of an endpoint. @returns the fault of the server's settings, as an error message */
  protect(projectID: string, key: string): { encrypted: string } | { fault: string };
  /**
   * @param encrypted as returned by `protect`; null without an API key
   * @throws ModelFailure if the server may not ask there (any more), or has another secret
   */
  open(projectID: string, endpoint: { url: string; encrypted: string | null }): Chat;
};
