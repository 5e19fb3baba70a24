/** A message of a chat with a model. */
export type ChatMessage = { role: "system" | "user" | "assistant"; content: string };

/** A request for a completion of a chat, in the words of the protocol. Parameters that are left out are the endpoint's to choose. */
export type ChatRequest = {
  model: string;
  messages: ChatMessage[];
  temperature?: number | undefined;
  top_p?: number | undefined;
  frequency_penalty?: number | undefined;
  presence_penalty?: number | undefined;
  max_tokens?: number | undefined;
};
