import { Plus, Trash2 } from "lucide-react";
import entity from "../../entity/entity.module.css";
import { Button, IconButton } from "../../ui/button.tsx";
import { Select } from "../../ui/choice.tsx";
import { TextField } from "../../ui/field.tsx";
import { NumberField } from "../../ui/number-field.tsx";
import type { Message, VersionDraft } from "./version-draft.ts";

const ROLES = [
  { id: "system", label: "System" },
  { id: "user", label: "User" },
  { id: "assistant", label: "Assistant" },
] as const satisfies readonly { id: Message["role"]; label: string }[];

type Props = {
  draft: VersionDraft;
  onChange: (draft: VersionDraft) => void;
  /** The server's refusals by field. */
  faults: ReadonlyMap<string, string>;
};

/** The model, the parameters and the messages of a version. */
export function VersionFields({ draft, onChange, faults }: Props) {
  const { messages, provider, model, temperature, maxTokens } = draft;
  const set = (changed: Partial<VersionDraft>) => onChange({ ...draft, ...changed });
  const setMessage = (index: number, changed: Partial<Message>) =>
    set({ messages: messages.map((one, at) => (at === index ? { ...one, ...changed } : one)) });
  return (
    <>
      <div className={entity.row}>
        <TextField
          label="Provider"
          value={provider}
          onChange={(text) => set({ provider: text })}
          placeholder="openai"
          error={faults.get("provider")}
        />
        <TextField label="Model" value={model} onChange={(text) => set({ model: text })} error={faults.get("model")} />
        <NumberField
          label="Temperature"
          isOptional
          minValue={0}
          maxValue={2}
          step={0.1}
          value={temperature}
          onChange={(number) => set({ temperature: number })}
        />
        <NumberField
          label="Maximum tokens"
          isOptional
          minValue={1}
          maxValue={10_000_000}
          decimals={0}
          value={maxTokens}
          onChange={(number) => set({ maxTokens: number })}
        />
      </div>
      {messages.map((message, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a message has no identity but its place.
        <div key={index} className={entity.card}>
          <div className={entity.row}>
            <Select
              label={`Role of message ${index + 1}`}
              options={ROLES}
              value={message.role}
              onChange={(role) => setMessage(index, { role: role as Message["role"] })}
            />
            <IconButton label={`Remove message ${index + 1}`} onPress={() => set({ messages: messages.filter((_, at) => at !== index) })}>
              <Trash2 aria-hidden="true" />
            </IconButton>
          </div>
          <TextField
            label={`Message ${index + 1}`}
            rows={5}
            isCode
            value={message.content}
            onChange={(content) => setMessage(index, { content })}
            description={index === 0 ? "Write {{name}} where your application inserts a value." : undefined}
            error={faults.get(`prompts[${index}].content`)}
          />
        </div>
      ))}
      <div>
        <Button onPress={() => set({ messages: [...messages, { role: "user", content: "" }] })}>
          <Plus aria-hidden="true" />
          Add message
        </Button>
      </div>
    </>
  );
}
